#include "report/ranges.h"

#include "program/layout.h"
#include "search/search.h"

typedef struct noting {
  program *program;
  model *model;
  bool locals; /* processes are there from the start to the end */
  entity_list entities;
} noting;

/* Records, channels and what is no part of a state are left out. */
static bool is_noted(const var *v)
{
  return v->type.kind != TYPE_RECORD && v->type.kind != TYPE_CHAN &&
         !(v->flags & VAR_HIDDEN);
}

static void note_var(const layout *l, var *v, const uint8_t *at)
{
  keep k = layout_keep(l, v);
  for (uint32_t i = 0; i < v->length; i++) {
    int32_t value = keep_read(k, at + i * keep_bytes(k));
    if (value < v->least)
      v->least = value;
    if (value > v->most)
      v->most = value;
  }
}

static reason on_state(void *context, const uint8_t *state, uint32_t length)
{
  noting *n = context;
  const layout *l = program_layout(n->program);
  for (size_t i = 0; i < n->model->globals.len; i++)
    if (is_noted(n->model->globals.data[i]))
      note_var(l, n->model->globals.data[i], state + l->globals[i]);
  if (!n->locals)
    return REASON_NONE;
  program_entities(n->program, state, length, &n->entities);
  for (size_t i = 0; i < n->entities.len; i++) {
    const entity *e = &n->entities.data[i];
    for (size_t k = 0; e->process && k < e->process->locals.len; k++)
      if (is_noted(e->process->locals.data[k]))
        note_var(l, e->process->locals.data[k],
                 state + e->offset + l->processes[e->process->index].locals[k]);
  }
  return REASON_NONE;
}

typedef VEC(var *) var_list;

static void add_vars(const var_list *from, var_list *to)
{
  for (size_t i = 0; i < from->len; i++)
    vec_push(to, from->data[i]);
}

/* Globals, and locals of all types. */
static void list_vars(const model *m, var_list *to)
{
  add_vars((const var_list *)&m->globals, to);
  for (size_t i = 0; i < m->processes.len; i++)
    add_vars((const var_list *)&m->processes.data[i]->locals, to);
}

bool ranges_note(program *p, model *m, limits *l)
{
  noting n = {.program = p,
              .model = m,
              .locals = !(m->flags & (MODEL_HAS_RUN | MODEL_HAS_DEATH))};
  var_list all = {0};
  search_result result = {0};
  search_options s = search_defaults();
  s.count = true;
  s.limits = l;
  s.on_state = on_state;
  s.state_context = &n;
  list_vars(m, &all);
  for (size_t i = 0; i < all.len; i++) {
    all.data[i]->least = INT32_MAX;
    all.data[i]->most = INT32_MIN;
  }
  search_run(p, &s, &result);
  bool complete = result.complete;
  for (size_t i = 0; i < all.len; i++)
    all.data[i]->is_seen = complete && all.data[i]->least <= all.data[i]->most;
  search_result_free(&result);
  vec_free(&n.entities);
  vec_free(&all);
  return complete;
}
