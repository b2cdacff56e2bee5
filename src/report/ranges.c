/* Looks at all states of a model for the values that occur in them. */

#include "report/ranges.h"

#include "program/layout.h"
#include "search/search.h"

typedef struct noting {
  program *program;
  const model *model;
  bool locals; /* processes are there from the start to the end */
  entity_list entities;
  var_ranges *ranges;
} noting;

/* Records, channels and what is no part of a state are left out. */
static bool is_noted(const var *v)
{
  return v->type.kind != TYPE_RECORD && v->type.kind != TYPE_CHAN &&
         !(v->flags & VAR_HIDDEN);
}

static void note_var(const noting *n, const var *v, const uint8_t *at)
{
  keep k = layout_keep(program_layout(n->program), v);
  var_range *r = is_noted(v) ? var_ranges_find(n->ranges, v) : NULL;
  for (uint32_t i = 0; r && i < v->length; i++) {
    int32_t value = keep_read(k, at + i * keep_bytes(k));
    if (value < r->least)
      r->least = value;
    if (value > r->most)
      r->most = value;
  }
}

static reason on_state(void *context, const uint8_t *state, uint32_t length)
{
  noting *n = context;
  const layout *l = program_layout(n->program);
  for (size_t i = 0; i < n->model->globals.len; i++)
    note_var(n, n->model->globals.data[i], state + l->globals[i]);
  if (!n->locals)
    return REASON_NONE;
  program_entities(n->program, state, length, &n->entities);
  for (size_t i = 0; i < n->entities.len; i++) {
    const entity *e = &n->entities.data[i];
    for (size_t k = 0; e->process && k < e->process->locals.len; k++)
      note_var(n, e->process->locals.data[k],
               state + e->offset + l->processes[e->process->index].locals[k]);
  }
  return REASON_NONE;
}

bool ranges_note(program *p, limits *l, var_ranges *ranges)
{
  const model *m = program_model(p);
  noting n = {.program = p,
              .model = m,
              .locals = !(m->flags & (MODEL_HAS_RUN | MODEL_HAS_DEATH)),
              .ranges = ranges};
  search_result result = {0};
  search_options s = search_defaults();
  s.count = true;
  s.limits = l;
  s.on_state = on_state;
  s.state_context = &n;
  var_ranges_start(ranges, m);
  search_run(p, &s, &result);
  bool complete = result.complete;
  if (!complete)
    vec_clear(&ranges->list);
  search_result_free(&result);
  vec_free(&n.entities);
  return complete;
}
