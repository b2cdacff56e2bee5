/* States of a workspace: their numbers, what is in them, what can happen, and
** what cannot and why. */

#include "api/workspace.h"
#include "base/alloc.h"
#include "report/plain.h"
#include "report/why/waiting.h"
#include <string.h>

/* The public reasons are those of program/blocked.h. */
#define BLOCK(name, text)                                                      \
  _Static_assert((int)NUT_BLOCKED_##name == (int)BLOCKED_##name,               \
                 "the same number");
BLOCKS(BLOCK)
#undef BLOCK

/* ---- numbers ------------------------------------------------------------ */

nut_state workspace_add_state(nut_workspace *w, const uint8_t *bytes,
                              uint32_t length)
{
  return numbering_add(&w->states, bytes, length);
}

const uint8_t *workspace_state(nut_workspace *w, nut_state s, uint32_t *length)
{
  if (s && s <= numbering_count(&w->states))
    return numbering_get(&w->states, s, length);
  workspace_refuse(w, NUT_ERROR, "there is no state %u", s);
  return NULL;
}

size_t nut_state_count(const nut_workspace *w)
{
  return numbering_count(&w->states);
}

typedef struct state_job {
  nut_workspace *workspace;
  nut_state state;
  const char *expression;
  int32_t value;
} state_job;

bool workspace_initial(nut_workspace *w, batch *b)
{
  if (!workspace_program(w))
    return false;
  b->record = true;
  program_initial(w->worker, b);
  if (b->faults.len)
    workspace_refuse(w, NUT_VIOLATED, "the initial state fails: %s",
                     fault_text(b->faults.data[0].kind));
  return !b->faults.len;
}

static void find_initial(void *job)
{
  state_job *j = job;
  nut_workspace *w = j->workspace;
  batch *b = &w->next.batch;
  if (workspace_initial(w, b))
    j->state = workspace_add_state(w, b->bytes.data + b->list.data[0].start,
                                   b->list.data[0].length);
}

nut_state nut_initial(nut_workspace *w)
{
  state_job j = {.workspace = w};
  return workspace_do(w, find_initial, &j) ? j.state : 0;
}

/* ---- what is in a state ------------------------------------------------- */

/* Reads the state into the view. */
static bool read_state(nut_workspace *w, nut_state s)
{
  uint32_t length;
  const uint8_t *bytes = workspace_state(w, s, &length);
  if (bytes)
    view_read(w->program, bytes, length, &w->view);
  return bytes;
}

static void add_value(nut_workspace *w, const item *i)
{
  const model *m = w->annex;
  nut_value v = {.process = i->process, .number = i->value};
  if (i->kind == ITEM_CHANNEL) {
    story_add_channel_name(&w->view, i, &w->scratch);
    story_add_channel(m, &w->view, i, &w->more);
    v.type = "channel";
  } else {
    story_add_name(i, -1, &w->scratch);
    story_add_value(m, i, i->value, &w->more);
    v.type = type_name(i->var->type.kind);
  }
  v.name = workspace_keep(w, LIST_VALUES, &w->scratch);
  v.text = workspace_keep(w, LIST_VALUES, &w->more);
  vec_push(&w->values, v);
}

void workspace_list_values(nut_workspace *w)
{
  vec_clear(&w->values);
  workspace_texts(w, LIST_VALUES);
  text_clear(&w->scratch);
  text_clear(&w->more);
  for (size_t i = 0; i < w->view.items.len; i++)
    if (story_shows(&w->view.items.data[i]))
      add_value(w, &w->view.items.data[i]);
}

static void list_values(void *job)
{
  state_job *j = job;
  if (read_state(j->workspace, j->state))
    workspace_list_values(j->workspace);
}

const nut_value *nut_values(nut_workspace *w, nut_state s, size_t *count)
{
  state_job j = {.workspace = w, .state = s};
  bool done = workspace_do(w, list_values, &j);
  *count = done ? w->values.len : 0;
  return done ? w->values.data : NULL;
}

/* Where a process is: at its statements, if they are known. */
static nut_place location_place(const nut_workspace *w, const process_type *t,
                                const location *l)
{
  span where = l->where;
  for (uint32_t i = 0; !where.file && i < l->edge_count; i++)
    where = t->order.data[l->first_edge + i]->where;
  return workspace_place(w, where);
}

void workspace_list_processes(nut_workspace *w)
{
  vec_clear(&w->processes);
  for (size_t i = 0; i < w->view.items.len; i++) {
    const item *it = &w->view.items.data[i];
    if (it->kind != ITEM_LOCATION)
      continue;
    const location *l = &it->type->locations.data[it->value];
    vec_push(&w->processes,
             ((nut_process){.number = (uint32_t)it->process,
                            .type = it->type->name,
                            .location = l->number,
                            .label = l->label,
                            .end = l->flags & LOC_END,
                            .at = location_place(w, it->type, l)}));
  }
}

static void list_processes(void *job)
{
  state_job *j = job;
  if (read_state(j->workspace, j->state))
    workspace_list_processes(j->workspace);
}

const nut_process *nut_processes(nut_workspace *w, nut_state s, size_t *count)
{
  state_job j = {.workspace = w, .state = s};
  bool done = workspace_do(w, list_processes, &j);
  *count = done ? w->processes.len : 0;
  return done ? w->processes.data : NULL;
}

/* ---- expressions -------------------------------------------------------- */

/* The first error, in one line. */
static void refuse_expression(nut_workspace *w, const diags *d)
{
  for (size_t i = 0; i < diags_count(d); i++)
    if (diags_get(d, i)->level == DIAG_ERROR) {
      workspace_refuse(w, NUT_ERROR, "%s", diags_get(d, i)->message);
      return;
    }
  workspace_refuse(w, NUT_ERROR, "this is no expression");
}

const expr *workspace_expression(nut_workspace *w, const char *string)
{
  nut_model *m = w->model;
  for (size_t i = 0; i < w->expressions.len; i++)
    if (!strcmp(w->expressions.data[i].text, string))
      return w->expressions.data[i].expr;
  uint32_t before = w->annex->flags;
  uint32_t file = source_add(m->sources, "expression", string, strlen(string));
  diags_destroy(w->complaints);
  w->complaints = NULL;
  w->complaints = diags_create(m->sources);
  const expr *e =
      file ? w->annex->language->condition(w->annex, w->complaints, file)
           : NULL;
  if (!e) {
    refuse_expression(w, w->complaints);
    return NULL;
  }
  /* States do not have what the model does not ask for. */
  if (w->annex->flags != before) {
    w->annex->flags = before;
    workspace_refuse(w, NUT_ERROR, "the states of this model do not tell that");
    return NULL;
  }
  vec_push(
      &w->expressions,
      ((asked_expression){arena_copy(m->arena, string, strlen(string)), e}));
  return e;
}

static void evaluate_expression(void *job)
{
  state_job *j = job;
  nut_workspace *w = j->workspace;
  uint32_t length;
  fault_kind failed = FAULT_NONE;
  const uint8_t *bytes = workspace_state(w, j->state, &length);
  const expr *e = bytes ? workspace_expression(w, j->expression) : NULL;
  if (!e)
    return;
  j->value = program_evaluate(w->worker, e, bytes, length, &failed);
  if (failed)
    workspace_refuse(w, NUT_VIOLATED, "%s", fault_text(failed));
}

bool nut_evaluate(nut_workspace *w, nut_state s, const char *expression,
                  int32_t *value)
{
  state_job j = {.workspace = w, .state = s, .expression = expression};
  bool done = workspace_do(w, evaluate_expression, &j);
  if (done)
    *value = j.value;
  return done;
}

/* ---- what can happen ---------------------------------------------------- */

bool workspace_look(nut_workspace *w, const uint8_t *state, uint32_t length,
                    next_steps *next)
{
  next_find(next, w->worker, state, length);
  return !next->batch.abandoned || workspace_stop(w);
}

/* The statement, as reports show it. */
static const char *statement(nut_workspace *w, const edge *e, list_kind texts)
{
  if (edge_words(e))
    return edge_words(e);
  text_clear(&w->scratch);
  edge_print(w->annex, e, &w->scratch);
  return workspace_keep(w, texts, &w->scratch);
}

nut_move workspace_move(nut_workspace *w, const next_steps *next, size_t index,
                        list_kind texts)
{
  const next_step *n = &next->list.data[index];
  const edge *e = w->annex->edges.data[n->edge];
  nut_move m = {.process = n->process,
                .edge = n->edge,
                .process_type = e->process->name,
                .at = workspace_place(w, e->where),
                .text = statement(w, e, texts)};
  if (n->fault != NEXT_NONE)
    m.fault = fault_text(next->batch.faults.data[n->fault].kind);
  return m;
}

static void list_moves(void *job)
{
  state_job *j = job;
  nut_workspace *w = j->workspace;
  uint32_t length;
  const next_steps *next = &w->next;
  const uint8_t *bytes = workspace_state(w, j->state, &length);
  vec_clear(&w->moves);
  if (!bytes || !workspace_look(w, bytes, length, &w->next))
    return;
  workspace_texts(w, LIST_MOVES);
  for (size_t i = 0; i < next->list.len; i++) {
    nut_move m = workspace_move(w, next, i, LIST_MOVES);
    size_t to = next->list.data[i].successor;
    if (to != NEXT_NONE) {
      const successor *s = &next->batch.list.data[to];
      m.target =
          workspace_add_state(w, next->batch.bytes.data + s->start, s->length);
    }
    vec_push(&w->moves, m);
  }
}

const nut_move *nut_moves(nut_workspace *w, nut_state s, size_t *count)
{
  state_job j = {.workspace = w, .state = s};
  bool done = workspace_do(w, list_moves, &j);
  *count = done ? w->moves.len : 0;
  return done ? w->moves.data : NULL;
}

/* ---- and what cannot ---------------------------------------------------- */

static void add_reason(nut_workspace *w, const blocked_step *b)
{
  const edge *e = w->annex->edges.data[b->edge];
  nut_blocked n = {.process = b->process,
                   .edge = b->edge,
                   .process_type = e->process->name,
                   .at = workspace_place(w, e->where),
                   .text = statement(w, e, LIST_BLOCKED),
                   .why = (nut_why)b->kind,
                   .word = blocked_kind_name(b->kind)};
  text_clear(&w->scratch);
  text_clear(&w->more);
  waiting_add_cause(w->annex, &w->view, b, &w->scratch);
  n.cause = workspace_keep(w, LIST_BLOCKED, &w->scratch);
  waiting_add_values(w->annex, &w->view, b, &w->more, &w->scratch);
  n.values = workspace_keep(w, LIST_BLOCKED, &w->more);
  waiting_scratch with = {&w->more, &w->scratch};
  text_clear(&w->out);
  waiting_add_reason(w->annex, &w->view, b, with, &w->out);
  n.because = workspace_keep(w, LIST_BLOCKED, &w->out);
  vec_push(&w->reasons, n);
}

static void list_reasons(void *job)
{
  state_job *j = job;
  nut_workspace *w = j->workspace;
  uint32_t length;
  const uint8_t *bytes = workspace_state(w, j->state, &length);
  vec_clear(&w->reasons);
  if (!bytes || !workspace_look(w, bytes, length, &w->next))
    return;
  workspace_texts(w, LIST_BLOCKED);
  blocked_find(w->worker, bytes, length, &w->next.batch, &w->blocked);
  view_read(w->program, bytes, length, &w->view);
  for (size_t i = 0; i < w->blocked.list.len; i++)
    add_reason(w, &w->blocked.list.data[i]);
}

const nut_blocked *nut_not_enabled(nut_workspace *w, nut_state s, size_t *count)
{
  state_job j = {.workspace = w, .state = s};
  bool done = workspace_do(w, list_reasons, &j);
  *count = done ? w->reasons.len : 0;
  return done ? w->reasons.data : NULL;
}

/* ---- as text ------------------------------------------------------------ */

typedef struct showing {
  nut_workspace *workspace;
  nut_state state;
  nut_style style;
} showing;

static void show_state(void *what)
{
  showing *s = what;
  nut_workspace *w = s->workspace;
  text_clear(&w->out);
  if (read_state(w, s->state))
    plain_state(w->annex, &w->view, s->style, &w->out);
}

bool nut_state_text(nut_workspace *w, nut_state state, nut_style style,
                    nut_sink *sink, void *context)
{
  showing s = {w, state, style};
  if (!workspace_do(w, show_state, &s))
    return false;
  sink(context, text_string(&w->out), w->out.len);
  return true;
}
