/* What the levels so far tell about those to come. */

#include "base/alloc.h"
#include "search/disk/disk.h"
#include "search/levels/levels_internal.h"

enum {
  SAMPLE = 1024,  /* states of a level that are looked at, */
  FIRST_LOOK = 8, /* from this level on, and then whenever it is */
  DEEPER = 10,    /* deeper by one in so many; */
  LONG = 100000   /* where nobody asks on the way: in runs of so many states */
};

static bool is_wanted(const search *r)
{
  const nut_options *o = &r->options->asked;
  return o->on_progress || o->on_growth;
}

/* Looks at some states of the level that comes next. */
static void look(team *t, uint64_t level)
{
  outlook *o = &t->outlook;
  const search *r = t->asker;
  const store_class *class = r->result->store;
  if (level < o->look_at || !class->fetch)
    return;
  o->look_at = level + level / DEEPER + 1;
  if (!o->growing)
    o->growing = growing_create(r->program);
  vec_resize(&o->state, class->max_length(r->watch.store) + CODEC_SLACK);
  for (uint32_t i = 0; i < t->count; i++) {
    const frontier *here = &t->walkers[i].here;
    size_t stride = here->count / SAMPLE + 1;
    for (size_t k = 0; k < here->count; k += stride) {
      uint32_t length = class->fetch(r->watch.store, frontier_handles(here)[k],
                                     o->state.data);
      growing_see(o->growing, o->state.data, length);
    }
  }
  growing_next(o->growing);
  o->is_growing = growing_found(o->growing);
}

void outlook_begin(team *t)
{
  t->outlook.look_at = FIRST_LOOK;
  forecast_add(&t->outlook.forecast, 1);
}

void outlook_add(team *t, uint64_t next)
{
  outlook *o = &t->outlook;
  search *r = t->asker;
  uint64_t states = r->result->stats.states;
  if (!t->judges)
    return;
  bool complete = next && !r->watch.stop;
  if (complete)
    forecast_add(&o->forecast, states);
  if (complete && (is_wanted(r) || states >= LONG) &&
      !disk_has_spilled(t->disk))
    look(t, r->watch.depth + 1);
  r->watch.forecast = o->is_growing ? NULL : &o->forecast;
  watch_level(&r->watch, next);
}

void outlook_conclude(team *t)
{
  search *r = t->asker;
  const outlook *o = &t->outlook;
  reason why = r->result->reason;
  if (why != REASON_TIME_LIMIT && why != REASON_MEMORY_LIMIT &&
      why != REASON_OUT_OF_MEMORY && why != REASON_INTERRUPTED)
    return;
  /* A variable that grows on and on may not have been looked at in a short run. */
  if (r->fleet || o->is_growing || r->result->stats.states < LONG)
    return;
  (void)forecast_states(&o->forecast, r->result->stats.states,
                        &r->result->expected);
}

void outlook_free(outlook *o)
{
  forecast_free(&o->forecast);
  growing_destroy(o->growing);
  vec_free(&o->state);
}
