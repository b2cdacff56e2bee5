/* Spaces made, explored by the strategy asked for within the limits, and
** destroyed. */

#include "symbolic/space.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include "base/text/list_text.h"
#include "symbolic/symbolic_internal.h"
#include <assert.h>

#define REPORT_SECONDS 0.5

LIST_TEXT(strategy_text, nut_strategy, NUT_STRATEGIES(CHOICE_TEXT))

/* ---- limits and progress ------------------------------------------------ */

void symbolic_stop(symbolic_space *s, reason why)
{
  if (s->reason == REASON_NONE)
    s->reason = why;
}

double symbolic_states_so_far(symbolic_space *s)
{
  bignum count = {0};
  bool counted = s->library && set_count(s->library, s->reachable, &count);
  double about = counted ? bignum_to_double(&count) : 0;
  bignum_free(&count);
  return about;
}

static void report_progress(symbolic_space *s)
{
  const nut_options *asked = &s->options.asked;
  nut_progress p = {.symbolic = true,
                    .iterations = s->iterations,
                    .nodes = library_sizes_of(s->library).nodes,
                    .symbolic_states = symbolic_states_so_far(s),
                    .memory_bytes = usage_resident(),
                    .seconds = limits_seconds(s->limits)};
  asked->on_progress(asked->context, &p);
  s->next_report = usage_seconds() + REPORT_SECONDS;
}

bool symbolic_cut(symbolic_space *s, const uint32_t *levels, uint32_t count)
{
  assert(!s->cut);
  s->cut = cut_create(s->library, levels, count);
  return s->cut;
}

void symbolic_uncut(symbolic_space *s)
{
  cut_destroy(s->cut);
  s->cut = NULL;
}

/* What lies beside the diagrams was not there when they got their share; then
** they must do with less. */
static void make_room(symbolic_space *s)
{
  enum { TIMES = 8 };
  size_t most = s->limits->asked.memory_bytes;
  if (!most || !s->library || s->shrunk == TIMES ||
      limits_room(s->limits) >= most / 64)
    return;
  library_shrink(s->library, most / 16);
  s->shrunk++;
}

bool symbolic_impatient(void *space)
{
  symbolic_space *s = space;
  make_room(s);
  if (limits_reached(s->limits))
    symbolic_stop(s, s->limits->reason);
  if (s->options.asked.on_progress && usage_seconds() >= s->next_report &&
      limits_wants_report(s->limits))
    report_progress(s);
  return s->reason != REASON_NONE;
}

/* ---- making ------------------------------------------------------------- */

static void take_initial(symbolic_space *s)
{
  program_initial(s->worker, &s->batch);
  if (!s->batch.list.len)
    return;
  const successor *first = &s->batch.list.data[0];
  s->initial_length = first->length;
  s->initial = ARENA_ARRAY(s->arena, uint8_t, first->length + 1);
  memcpy(s->initial, s->batch.bytes.data + first->start, first->length);
}

symbolic_set symbolic_state(symbolic_space *s, const uint8_t *state,
                            uint32_t length)
{
  vec_resize(&s->tuple, s->fields.len);
  for (size_t i = 0; i < s->fields.len; i++)
    s->tuple.data[i] =
        field_read(&s->fields.data[s->order.data[i]], state, length);
  return set_tuple(s->library, s->tuple.data);
}

static bool make_diagram(symbolic_space *s)
{
  size_t room = limits_room(s->limits);
  library_options o = {.max_bytes = room - room / 16,
                       .levels = (uint32_t)s->fields.len,
                       .reorder = s->options.asked.reorder,
                       .ask = group_ask,
                       .guard = group_guard,
                       .impatient = symbolic_impatient,
                       .context = s};
  s->library = library_create(s->options.asked.base, &o);
  if (!s->library || !set_protect(s->library, &s->reachable, 1) ||
      !set_protect(s->library, &s->start, 1) ||
      !set_protect(s->library, &s->blocked, 1) ||
      !set_protect(s->library, s->wrong, WRONG_KINDS) ||
      !set_protect(s->library, s->scratch,
                   sizeof s->scratch / sizeof *s->scratch))
    return false;
  if (!groups_enter(s))
    return false;
  s->start = s->reachable = symbolic_state(s, s->initial, s->initial_length);
  return s->start != SET_FULL;
}

static void make_space(void *space)
{
  symbolic_space *s = space;
  s->arena = arena_create();
  s->access = access_create(s->model);
  s->worker = worker_create(s->program);
}

static void undo_space(void *space)
{
  symbolic_destroy(space);
}

symbolic_space *symbolic_create(program *p, const symbolic_options *o)
{
  symbolic_space *s = mem_alloc(sizeof *s);
  s->options = *o;
  s->program = p;
  s->model = program_model(p);
  s->limits = o->limits;
  s->next_report = usage_seconds() + REPORT_SECONDS;
  mem_protect_undo(make_space, undo_space, s);
  worker_set_patience(s->worker, symbolic_impatient, s);
  return s;
}

void symbolic_destroy(symbolic_space *s)
{
  if (!s)
    return;
  groups_free(s);
  cut_destroy(s->cut);
  library_destroy(s->library);
  fields_free(s);
  vec_free(&s->order);
  vec_free(&s->tags);
  vec_free(&s->state);
  vec_free(&s->tuple);
  vec_free(&s->entities);
  vec_free(&s->members);
  vec_free(&s->layers);
  vec_free(&s->route);
  vec_free(&s->stages);
  ctl_run_free(&s->way);
  batch_free(&s->batch);
  movers_free(&s->movers);
  worker_destroy(s->worker);
  access_destroy(s->access);
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}

/* ---- exploring ---------------------------------------------------------- */

/* One step of every group from the newest states, all at once. */
static symbolic_set step_breadth_first(symbolic_space *s)
{
  set_library *m = s->library;
  symbolic_set *newest = &s->scratch[1], *found = &s->scratch[2];
  *found = SET_EMPTY;
  for (uint32_t i = 0; i < s->step_groups; i++) {
    symbolic_set next = set_image(s->library, i, *newest);
    *found = set_union(m, *found, next);
    if (*found == SET_FULL)
      return SET_FULL;
  }
  *newest = set_minus(m, *found, s->reachable);
  return set_union(m, s->reachable, *newest);
}

/* Every group takes up what those before it have found.  What is known when it
** cannot go on is kept. */
static symbolic_set step_chaining(symbolic_space *s)
{
  set_library *m = s->library;
  symbolic_set *found = &s->scratch[2];
  *found = s->reachable;
  for (uint32_t i = 0; i < s->step_groups; i++) {
    symbolic_set next = set_image(s->library, i, *found);
    symbolic_set more = set_union(m, *found, next);
    if (more == SET_FULL) {
      s->reachable = *found;
      return SET_FULL;
    }
    *found = more;
  }
  return *found;
}

static bool iterate(symbolic_space *s,
                    symbolic_set (*advance)(symbolic_space *))
{
  s->scratch[1] = s->reachable;
  for (;;) {
    s->iterations++;
    symbolic_set next = advance(s);
    if (next == SET_FULL)
      return false;
    if (next == s->reachable)
      return true;
    s->reachable = next;
  }
}

static bool explore_once(symbolic_space *s)
{
  switch (s->options.asked.strategy) {
  case NUT_SATURATION: {
    s->iterations++;
    symbolic_set all = set_close(s->library, s->reachable);
    if (all != SET_FULL)
      s->reachable = all;
    return all != SET_FULL;
  }
  case NUT_CHAINING:
    return iterate(s, step_chaining);
  case NUT_SYMBOLIC_BFS:
    return iterate(s, step_breadth_first);
  }
  return false;
}

/* As long as values turn up for which there was no room. */
static bool explore(symbolic_space *s)
{
  for (bool wider = true; wider;)
    if (!explore_once(s) || !set_widen(s->library, &wider))
      return false;
  return true;
}

static bool cut_and_explore(symbolic_space *s)
{
  fields_make(s);
  groups_make(s);
  order_choose(s);
  return make_diagram(s) && explore(s);
}

/* A state had a shape that was not foreseen: whole states do not care. */
static bool start_over(symbolic_space *s)
{
  groups_free(s);
  library_destroy(s->library);
  s->library = NULL;
  fields_free(s);
  s->start = s->reachable = SET_EMPTY;
  for (size_t i = 0; i < sizeof s->scratch / sizeof *s->scratch; i++)
    s->scratch[i] = SET_EMPTY;
  s->whole = true;
  return cut_and_explore(s);
}

bool symbolic_explore(symbolic_space *s)
{
  take_initial(s);
  if (!s->initial) {
    symbolic_stop(s, REASON_ERRORS);
    return false;
  }
  if (program_hidden(s->program)) {
    symbolic_stop(s, REASON_HIDDEN_SETS);
    return false;
  }
  bool good = cut_and_explore(s);
  if (!good && s->strayed && s->reason == REASON_NONE)
    good = start_over(s);
  for (size_t i = 0; i < sizeof s->scratch / sizeof *s->scratch; i++)
    s->scratch[i] = SET_EMPTY;
  if (!good)
    symbolic_stop(s, s->library && library_outgrown(s->library)
                         ? REASON_OUTGROWN
                         : limits_why(s->limits));
  return good;
}

reason symbolic_reason(const symbolic_space *s)
{
  return s->reason;
}

reason symbolic_take_reason(symbolic_space *s)
{
  reason why = s->reason;
  if (why == REASON_PROPOSITION)
    s->reason = REASON_NONE;
  return why == REASON_NONE ? limits_why(s->limits) : why;
}

set_library *symbolic_library(symbolic_space *s)
{
  return s->library;
}

symbolic_set symbolic_reachable(const symbolic_space *s)
{
  return s->reachable;
}

symbolic_set symbolic_initial(const symbolic_space *s)
{
  return s->start;
}

const limits *symbolic_limits(const symbolic_space *s)
{
  return s->limits;
}
