#include "symbolic/space.h"

#include "base/alloc.h"
#include "search/usage.h"
#include "symbolic/inside.h"
#include <assert.h>

#define REPORT_SECONDS 0.5
#define MEMORY_LOOK_SECONDS 0.05

const char *strategy_text(strategy which)
{
  switch (which) {
#define STRATEGY(name, text)                                                   \
  case STRATEGY_##name:                                                        \
    return text;
    STRATEGIES(STRATEGY)
#undef STRATEGY
  }
  return "";
}

/* ---- limits and progress ------------------------------------------------ */

void symbolic_stop(symbolic_space *s, reason why)
{
  if (s->reason == REASON_NONE)
    s->reason = why;
}

static void report_progress(symbolic_space *s, double now)
{
  bignum count = {0};
  bool counted = mdd_count(s->manager, s->reachable, &count);
  symbolic_progress p = {.iterations = s->iterations,
                         .nodes = mdd_figures(s->manager).nodes,
                         .states = counted ? bignum_to_double(&count) : 0,
                         .memory_bytes = usage_resident(),
                         .seconds = now - s->started};
  bignum_free(&count);
  s->options.on_progress(s->options.context, &p);
  s->next_report = usage_seconds() + REPORT_SECONDS;
}

static reason memory_reason(const symbolic_space *s)
{
  return s->options.memory_bytes ? REASON_MEMORY_LIMIT : REASON_OUT_OF_MEMORY;
}

bool symbolic_impatient(void *space)
{
  symbolic_space *s = space;
  double now = usage_seconds();
  if (s->options.interrupt && *s->options.interrupt)
    symbolic_stop(s, REASON_INTERRUPTED);
  if (s->options.seconds > 0 && now - s->started >= s->options.seconds)
    symbolic_stop(s, REASON_TIME_LIMIT);
  if (now >= s->next_memory) {
    s->next_memory = now + MEMORY_LOOK_SECONDS;
    if (usage_resident() > s->memory_limit)
      symbolic_stop(s, memory_reason(s));
  }
  if (s->options.on_progress && now >= s->next_report)
    report_progress(s, now);
  return s->reason != REASON_NONE;
}

/* ---- making ------------------------------------------------------------- */

static size_t set_limits(symbolic_space *s)
{
  size_t room = usage_memory_room(), own = usage_resident();
  size_t all = room - room / 16;
  size_t asked = s->options.memory_bytes;
  s->memory_limit = asked ? asked : all;
  return s->memory_limit > own ? s->memory_limit - own : 0;
}

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

mdd symbolic_state(symbolic_space *s, const uint8_t *state, uint32_t length)
{
  vec_resize(&s->tuple, s->fields.len);
  for (size_t i = 0; i < s->fields.len; i++)
    s->tuple.data[i] =
        field_read(&s->fields.data[s->order.data[i]], state, length);
  return mdd_tuple(s->manager, s->tuple.data, (uint32_t)s->tuple.len);
}

static bool make_diagram(symbolic_space *s)
{
  mdd_system_options o = {
      .learn = group_learn, .impatient = symbolic_impatient, .context = s};
  uint32_t levels = (uint32_t)s->fields.len;
  s->manager = mdd_create(MDD_VALUES, set_limits(s));
  if (!s->manager || !mdd_protect(s->manager, &s->reachable, 1) ||
      !mdd_protect(s->manager, &s->start, 1) ||
      !mdd_protect(s->manager, &s->blocked, 1) ||
      !mdd_protect(s->manager, s->scratch,
                   sizeof s->scratch / sizeof *s->scratch))
    return false;
  s->system = mdd_system_create(s->manager, levels, &o);
  if (!s->system || !groups_enter(s))
    return false;
  s->start = s->reachable = symbolic_state(s, s->initial, s->initial_length);
  return s->start != MDD_FULL;
}

symbolic_space *symbolic_create(program *p, const symbolic_options *o)
{
  jmp_buf here;
  symbolic_space *const s = mem_alloc(sizeof *s);
  s->options = *o;
  s->program = p;
  s->model = program_model(p);
  s->started = usage_seconds();
  s->next_report = s->started + REPORT_SECONDS;
  jmp_buf *volatile outer = mem_guard(&here);
  if (setjmp(here)) {
    symbolic_destroy(s);
    mem_pass_on(outer);
  }
  s->arena = arena_create();
  s->access = access_create(s->model);
  s->worker = worker_create(p);
  mem_guard(outer);
  worker_set_patience(s->worker, symbolic_impatient, s);
  return s;
}

void symbolic_destroy(symbolic_space *s)
{
  if (!s)
    return;
  mdd_system_destroy(s->system);
  groups_free(s);
  mdd_destroy(s->manager);
  fields_free(s);
  vec_free(&s->order);
  vec_free(&s->state);
  vec_free(&s->tuple);
  vec_free(&s->pairs);
  vec_free(&s->entities);
  vec_free(&s->members);
  batch_free(&s->batch);
  worker_destroy(s->worker);
  access_destroy(s->access);
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}

/* ---- exploring ---------------------------------------------------------- */

/* One step of every group from the newest states, all at once. */
static mdd step_breadth_first(symbolic_space *s)
{
  mdd_manager *m = s->manager;
  mdd *newest = &s->scratch[1], *found = &s->scratch[2];
  *found = MDD_EMPTY;
  for (uint32_t i = 0; i < mdd_system_events(s->system); i++) {
    mdd next = mdd_system_image(s->system, i, *newest);
    *found = mdd_union(m, *found, next);
    if (*found == MDD_FULL)
      return MDD_FULL;
  }
  *newest = mdd_minus(m, *found, s->reachable);
  return mdd_union(m, s->reachable, *newest);
}

/* Every group takes up what those before it have found. */
static mdd step_chaining(symbolic_space *s)
{
  mdd_manager *m = s->manager;
  mdd *found = &s->scratch[2];
  *found = s->reachable;
  for (uint32_t i = 0; i < mdd_system_events(s->system); i++) {
    mdd next = mdd_system_image(s->system, i, *found);
    *found = mdd_union(m, *found, next);
    if (*found == MDD_FULL)
      return MDD_FULL;
  }
  return *found;
}

static bool iterate(symbolic_space *s, mdd (*advance)(symbolic_space *))
{
  s->scratch[1] = s->reachable;
  for (;;) {
    s->iterations++;
    mdd next = advance(s);
    if (next == MDD_FULL)
      return false;
    if (next == s->reachable)
      return true;
    s->reachable = next;
  }
}

static bool explore(symbolic_space *s)
{
  switch (s->options.strategy) {
  case STRATEGY_SATURATION: {
    s->iterations = 1;
    mdd all = mdd_close(s->system, s->start);
    if (all != MDD_FULL)
      s->reachable = all;
    return all != MDD_FULL;
  }
  case STRATEGY_CHAINING:
    return iterate(s, step_chaining);
  case STRATEGY_BFS:
    return iterate(s, step_breadth_first);
  }
  return false;
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
  fields_make(s);
  groups_make(s);
  order_choose(s);
  bool good = make_diagram(s) && explore(s);
  for (size_t i = 0; i < sizeof s->scratch / sizeof *s->scratch; i++)
    s->scratch[i] = MDD_EMPTY;
  if (!good)
    symbolic_stop(s, s->system && mdd_system_outgrown(s->system)
                         ? REASON_OUTGROWN
                         : memory_reason(s));
  s->finished = usage_seconds();
  return good;
}

reason symbolic_reason(const symbolic_space *s)
{
  return s->reason;
}

mdd_manager *symbolic_manager(symbolic_space *s)
{
  return s->manager;
}

mdd symbolic_reachable(const symbolic_space *s)
{
  return s->reachable;
}

mdd symbolic_initial(const symbolic_space *s)
{
  return s->start;
}
