/* Reasons why steps are not possible agree with the interpreter: in states of
** all our models, every edge at the location of a process can be executed or has
** a reason, never both; and the reason is true, as far as one can see by looking
** at the state with another evaluator. */

#include "unit.h"

#include "api/handle.h"
#include "program/blocked.h"
#include "report/evaluate.h"
#include "search/trace/next_steps.h"
#include "store/store.h"
#include <glob.h>
#include <stdio.h>

enum { STATES_LOOKED_AT = 400 };

typedef struct looking {
  const char *file;
  nut_model *model;
  program *program;
  worker *worker;
  next_steps next;
  blocked_steps blocked;
  view view;
  VEC(uint8_t) bytes; /* of states found, one after the other */
  VEC(size_t) starts;
  uint64_t reasons, possible;
  uint64_t kinds[BLOCKED_ENDLESS + 1];
} looking;

static const item *location_of_process(const looking *l, uint32_t process)
{
  for (size_t i = 0; i < l->view.items.len; i++)
    if (l->view.items.data[i].kind == ITEM_LOCATION &&
        l->view.items.data[i].process == (int32_t)process)
      return &l->view.items.data[i];
  return NULL;
}

static const item *channel_numbered(const looking *l, int32_t number)
{
  for (size_t i = 0; i < l->view.items.len; i++)
    if (l->view.items.data[i].kind == ITEM_CHANNEL &&
        l->view.items.data[i].channel == number)
      return &l->view.items.data[i];
  return NULL;
}

static const possible_step *find_possible(const looking *l, uint32_t process,
                                          const edge *e)
{
  for (size_t i = 0; i < l->blocked.possible.len; i++)
    if (l->blocked.possible.data[i].process == process &&
        l->blocked.possible.data[i].edge == e->index)
      return &l->blocked.possible.data[i];
  return NULL;
}

static const blocked_step *find_blocked(const looking *l, uint32_t process,
                                        const edge *e)
{
  for (size_t i = 0; i < l->blocked.list.len; i++)
    if (l->blocked.list.data[i].process == process &&
        l->blocked.list.data[i].edge == e->index)
      return &l->blocked.list.data[i];
  return NULL;
}

/* Whether the process can begin a step by another edge of its location. */
static bool has_other(const looking *l, uint32_t process, const edge *e,
                      bool higher)
{
  const process_type *t = e->process;
  const location *at = &t->locations.data[e->source];
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *x = t->order.data[at->first_edge + i];
    const possible_step *p = find_possible(l, process, x);
    if (x != e && p && !p->answers && (!higher || x->rank > e->rank))
      return true;
  }
  return false;
}

static bool is_last(const looking *l, uint32_t process)
{
  return !location_of_process(l, process + 1);
}

/* Whether what the reason says can be seen in the state. */
static bool is_true(const looking *l, const blocked_step *b)
{
  const edge *e = program_model(l->program)->edges.data[b->edge];
  const item *channel = channel_numbered(l, b->channel);
  uint32_t capacity = channel ? channel->channel_type->capacity : 0;
  uint32_t messages = channel ? (uint32_t)channel->value : 0;
  int32_t value = 0;
  bool known =
      b->condition && evaluate(&l->view, b->process, b->condition, &value);
  /* Only who waits for another process names one. */
  if (b->other >= 0 && b->kind != BLOCKED_COMMITTED &&
      b->kind != BLOCKED_OTHERS)
    return false;
  switch (b->kind) {
  case BLOCKED_GUARD:
    return b->condition && (!known || !value);
  case BLOCKED_TIMEOUT:
    return b->condition && l->next.list.len;
  case BLOCKED_PROVIDED:
    return b->condition && (!known || !value) && e->process->provided;
  case BLOCKED_EMPTY:
    return channel && capacity && !messages;
  case BLOCKED_MESSAGE:
    return channel && messages;
  case BLOCKED_FULL:
    return channel && messages == capacity;
  case BLOCKED_PARTNER:
    return !capacity;
  case BLOCKED_ELSE:
    return e->flags & EDGE_ELSE && has_other(l, b->process, e, false);
  case BLOCKED_UNLESS:
    return has_other(l, b->process, e, true);
  case BLOCKED_PRIORITY:
    return program_model(l->program)->flags & MODEL_HAS_PRIORITY;
  case BLOCKED_COMMITTED:
    return b->other >= 0 && (uint32_t)b->other != b->process;
  case BLOCKED_YOUNGER:
    return !is_last(l, b->process);
  case BLOCKED_OTHERS:
    return program_model(l->program)->flags & MODEL_SYNCHRONOUS;
  case BLOCKED_ENDLESS:
    break;
  }
  return l->next.batch.stuck;
}

/* A statement that can be executed has no false guard. */
static bool may_be_possible(const looking *l, uint32_t process, const edge *e)
{
  int32_t value;
  return !e->guard || e->flags & (EDGE_ELSE | EDGE_DSTEP) ||
         !evaluate(&l->view, process, e->guard, &value) || value;
}

static void check_edge(looking *l, uint32_t process, const edge *e)
{
  const possible_step *p = find_possible(l, process, e);
  const blocked_step *b = find_blocked(l, process, e);
  if (!p == !b)
    fail_msg("%s: process %u, '%s': %s", l->file, process,
             e->text ? e->text : "?", p ? "both" : "neither");
  if (b && !is_true(l, b))
    fail_msg("%s: process %u, '%s': not '%s'", l->file, process,
             e->text ? e->text : "?", blocked_kind_name(b->kind));
  if (p && !may_be_possible(l, process, e))
    fail_msg("%s: process %u, '%s': its guard is false", l->file, process,
             e->text ? e->text : "?");
  l->reasons += b != NULL;
  l->possible += p != NULL;
  if (b)
    l->kinds[b->kind]++;
}

static void look_at(looking *l, const uint8_t *state, uint32_t length)
{
  next_find(&l->next, l->worker, state, length);
  blocked_find(l->worker, state, length, &l->next.batch, &l->blocked);
  view_read(l->program, state, length, &l->view);
  const item *at;
  for (uint32_t i = 0; (at = location_of_process(l, i)); i++) {
    const location *x = &at->type->locations.data[at->value];
    for (uint32_t k = 0; k < x->edge_count; k++)
      check_edge(l, i, at->type->order.data[x->first_edge + k]);
  }
}

static void add_state(looking *l, const uint8_t *state, uint32_t length)
{
  for (size_t i = 0; i + 1 < l->starts.len; i++)
    if (l->starts.data[i + 1] - l->starts.data[i] == length &&
        !memcmp(l->bytes.data + l->starts.data[i], state, length))
      return;
  vec_grow(&l->bytes, length + 1);
  memcpy(l->bytes.data + l->bytes.len, state, length);
  l->bytes.len += length;
  vec_push(&l->starts, l->bytes.len);
}

/* The first states, breadth-first. */
static void look_at_states(looking *l)
{
  batch first = {0};
  VEC(uint8_t) state = {0};
  vec_push(&l->starts, 0);
  program_initial(l->worker, &first);
  add_state(l, first.bytes.data + first.list.data[0].start,
            first.list.data[0].length);
  batch_free(&first);
  for (size_t i = 0; i + 1 < l->starts.len; i++) {
    size_t length = l->starts.data[i + 1] - l->starts.data[i];
    vec_resize(&state, length + 1);
    memcpy(state.data, l->bytes.data + l->starts.data[i], length);
    look_at(l, state.data, (uint32_t)length);
    const batch *b = &l->next.batch;
    for (size_t k = 0; k < b->list.len && l->starts.len < STATES_LOOKED_AT; k++)
      add_state(l, b->bytes.data + b->list.data[k].start,
                b->list.data[k].length);
  }
  vec_free(&state);
}

static void look_at_model(looking *l, const char *file)
{
  l->file = file;
  l->model = nut_load_file(file, NULL);
  if (nut_model_good(l->model))
    l->program = loaded_program(l->model, l->model->model, false);
  if (l->program) {
    l->worker = worker_create(l->program);
    look_at_states(l);
  }
  next_free(&l->next);
  blocked_free(&l->blocked);
  view_free(&l->view);
  vec_free(&l->bytes);
  vec_free(&l->starts);
  worker_destroy(l->worker);
  program_destroy(l->program);
  nut_model_free(l->model);
}

/* All models that match; returns how many could be used. */
static size_t look_at_all(const char *pattern, uint64_t *kinds)
{
  char path[512];
  glob_t found;
  size_t good = 0;
  snprintf(path, sizeof path, "%s/%s", NUT_SOURCE_ROOT, pattern);
  if (glob(path, 0, NULL, &found))
    return 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    looking l = {0};
    look_at_model(&l, found.gl_pathv[i]);
    good += l.possible > 0;
    for (int k = 0; k <= BLOCKED_ENDLESS; k++)
      kinds[k] += l.kinds[k];
  }
  globfree(&found);
  return good;
}

static void agree(const char *const *patterns, size_t least,
                  const blocked_kind *wanted, size_t count)
{
  uint64_t kinds[BLOCKED_ENDLESS + 1] = {0};
  size_t good = 0;
  for (; *patterns; patterns++)
    good += look_at_all(*patterns, kinds);
  assert_true(good >= least);
  for (size_t i = 0; i < count; i++)
    if (!kinds[wanted[i]])
      fail_msg("'%s' does not occur", blocked_kind_name(wanted[i]));
}

static void promela(void **state)
{
  (void)state;
  static const char *const patterns[] = {"examples/promela/*.pml",
                                         "tests/promela/*.pml", NULL};
  static const blocked_kind wanted[] = {
      BLOCKED_GUARD,    BLOCKED_EMPTY,    BLOCKED_MESSAGE, BLOCKED_FULL,
      BLOCKED_PARTNER,  BLOCKED_ELSE,     BLOCKED_UNLESS,  BLOCKED_TIMEOUT,
      BLOCKED_PROVIDED, BLOCKED_PRIORITY, BLOCKED_YOUNGER};
  agree(patterns, 100, wanted, sizeof wanted / sizeof *wanted);
}

static void other_languages(void **state)
{
  (void)state;
  static const char *const patterns[] = {
      "examples/dve/*.dve", "tests/dve/*.dve", "examples/gaston/*.gst",
      "tests/gaston/*.gst", "examples/pnml/*", "tests/pnml/*.pnml",
      "tests/lpn/*.lpn",    "tests/lpn/*.g",   NULL};
  static const blocked_kind wanted[] = {BLOCKED_GUARD, BLOCKED_PARTNER,
                                        BLOCKED_COMMITTED, BLOCKED_OTHERS};
  agree(patterns, 20, wanted, sizeof wanted / sizeof *wanted);
}

UNIT_MAIN(UNIT(promela), UNIT(other_languages))
