/* What the levels so far tell about those to come. */

#include "base/alloc.h"
#include "search/levels/levels_internal.h"

enum {
  SAMPLE = 1024,  /* states of a level that are looked at, */
  FIRST_LOOK = 8, /* from this level on, and then whenever it is */
  DEEPER = 10     /* deeper by one in so many */
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
  if (!is_wanted(t->asker))
    return;
  t->outlook.look_at = FIRST_LOOK;
  forecast_add(&t->outlook.forecast, 1);
}

void outlook_add(team *t, uint64_t next)
{
  outlook *o = &t->outlook;
  search *r = t->asker;
  if (!is_wanted(r) || !t->judges)
    return;
  if (next) {
    forecast_add(&o->forecast, r->result->stats.states);
    look(t, r->watch.depth + 1);
  }
  r->watch.forecast = o->is_growing ? NULL : &o->forecast;
  watch_level(&r->watch, next);
}

void outlook_free(outlook *o)
{
  forecast_free(&o->forecast);
  growing_destroy(o->growing);
  vec_free(&o->state);
}
