/* From the table of steps to locations and edges.
**
** Locations are made for the places control can rest at, for labelled places,
** and for unreachable statements, so that a report can name those; d_steps
** add the places inside, which are never rested at. */

#include "lang/promela/lower/lower.h"

#include "base/alloc.h"

#include <string.h>

/* ---- inside a d_step -------------------------------------------------- */

/* A step inside a d_step; 'behind' is where it leads, NULL = out. */
typedef struct inner_step {
  flow_element *by;
  flow_element *behind;
  struct inner_step *next;
} inner_step;

/* The id of the d_step that element 'e' is. */
static uint32_t dstep_of(const flow_element *e)
{
  return e->subs[0]->first->dstep;
}

/* The first place inside.  A body that has nothing but jumps is entered at
** its first jump. */
static flow_element *dstep_entry(lower_proc *p, const flow_element *e)
{
  flow_element *first = e->subs[0]->first;
  flow_element *entry = flow_inner(p->flow, first, dstep_of(e));
  return entry ? entry : first;
}

/* Adds the steps that 'e' offers, choices opened up, at '*tail'. */
static inner_step **open_inner(lower *l, lower_proc *p, flow_element *e,
                               inner_step **tail)
{
  if (e->kind == FLOW_JOIN)
    return open_inner(l, p, e->next, tail);
  if (e->kind == FLOW_BLOCK)
    return open_inner(l, p, e->subs[0]->first, tail);
  if (e->kind == FLOW_IF || e->kind == FLOW_DO) {
    for (uint32_t i = 0; i < e->sub_count; i++)
      tail = open_inner(l, p, e->subs[i]->first, tail);
    return tail;
  }
  inner_step *s = ARENA_NEW(l->arena, inner_step);
  s->by = e;
  s->behind =
      flow_inner(p->flow, e->kind == FLOW_GOTO ? e->goal : e->next, e->dstep);
  *tail = s;
  return &s->next;
}

/* ---- locations -------------------------------------------------------- */

/* Which places are wanted, and those still to be looked at. */
typedef struct wanted {
  lower *l;
  lower_proc *p;
  bool *marked;
  bool *offered; /* elements that some wanted place offers */
  uint32_t *queue;
  uint32_t length;
} wanted;

static void want(wanted *w, uint32_t number)
{
  if (number && !w->marked[number]) {
    w->marked[number] = true;
    w->queue[w->length++] = number;
  }
}

static bool is_inner(const lower_proc *p, uint32_t number)
{
  return p->flow->elements[number]->dstep != 0;
}

static void look_inside(wanted *w, uint32_t number)
{
  inner_step *steps = NULL;
  open_inner(w->l, w->p, w->p->flow->elements[number], &steps);
  for (; steps; steps = steps->next) {
    w->offered[steps->by->number] = true;
    if (steps->behind)
      want(w, steps->behind->number);
  }
}

static void look_at(wanted *w, uint32_t number)
{
  if (is_inner(w->p, number)) {
    look_inside(w, number);
    return;
  }
  for (flow_step *s = w->p->table->places[number].steps; s; s = s->next) {
    w->offered[s->by->number] = true;
    want(w, s->target);
    if (s->by->kind == FLOW_DSTEP)
      want(w, dstep_entry(w->p, s->by)->number);
  }
}

static void look_at_queue(wanted *w)
{
  while (w->length > 0)
    look_at(w, w->queue[--w->length]);
}

/* Statements that no place offers are unreachable; they are wanted, too. */
static void want_rest(wanted *w)
{
  flow *f = w->p->flow;
  for (uint32_t i = 1; i < f->count; i++) {
    const flow_element *e = f->elements[i];
    bool statement = e->kind == FLOW_STEP || e->kind == FLOW_ELSE ||
                     e->kind == FLOW_DSTEP || e->kind == FLOW_END;
    if (statement && !e->dstep && !w->offered[i] &&
        w->p->table->places[i].steps)
      want(w, i);
    look_at_queue(w);
  }
}

static void add_location(lower *l, lower_proc *p, uint32_t number)
{
  const flow_element *e = p->flow->elements[number];
  const flow_place *place = &p->table->places[number];
  uint32_t flags =
      (place->end ? LOC_END : 0) | (place->accept ? LOC_ACCEPT : 0) |
      (place->progress ? LOC_PROGRESS : 0) | (e->dstep ? LOC_DSTEP : 0);
  uint32_t at =
      model_add_location(l->m, p->type, flags, (int32_t)number, e->where);
  if (e->labels)
    p->type->locations.data[at].label = e->labels->label->name;
  p->places[number] = at;
}

void lower_locations(lower *l, lower_proc *p)
{
  flow *f = p->flow;
  wanted w = {.l = l, .p = p};
  w.marked = ARENA_ARRAY(l->arena, bool, f->count);
  w.offered = ARENA_ARRAY(l->arena, bool, f->count);
  w.queue = ARENA_ARRAY(l->arena, uint32_t, f->count);
  want(&w, p->table->start);
  look_at_queue(&w);
  for (uint32_t i = 1; i < f->count; i++)
    if (f->elements[i]->labels)
      want(&w, i);
  look_at_queue(&w);
  want_rest(&w);
  p->places = ARENA_ARRAY(l->arena, uint32_t, f->count);
  for (uint32_t i = 0; i < f->count; i++) {
    p->places[i] = NO_PLACE;
    if (w.marked[i])
      add_location(l, p, i);
  }
  p->type->start = p->places[p->table->start];
}

/* ---- edges ------------------------------------------------------------ */

/* The text of a string with its escapes replaced. */
static const char *unescape(lower *l, const char *from)
{
  char *out = arena_copy(l->arena, from, strlen(from));
  size_t n = 0;
  for (; *from; from++) {
    char c = *from;
    if (c == '\\' && from[1]) {
      c = *++from;
      c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    }
    out[n++] = c;
  }
  out[n] = 0;
  return out;
}

static void add_eval(lower *l, edge *e, expr *value)
{
  model_add_effect(l->m, e, EFFECT_EVAL, e->where)->value = value;
}

static void fill_assignment(lower *l, edge *e, const pml_stmt *s)
{
  if (s->a->steps->var->predef == PREDEF_PRIORITY) {
    expr *pid = expr_new(l->m, OP_PID, NULL, NULL, NULL, s->where);
    add_eval(l, e,
             expr_new(l->m, OP_SET_PRIORITY, pid, lower_expr(l, s->b), NULL,
                      s->where));
    return;
  }
  effect *f = model_add_effect(l->m, e, EFFECT_ASSIGN, s->where);
  f->target = lower_ref(l, s->a->steps, s->a->step_count, s->a->where);
  f->value = lower_expr(l, s->b);
}

static void fill_condition(lower *l, edge *e, const pml_stmt *s)
{
  if (lower_has_run(s->a))
    add_eval(l, e, lower_expr(l, s->a));
  else if (s->a->kind != E_CONST || s->a->value == 0)
    e->guard = lower_expr(l, s->a);
}

static void fill_print(lower *l, edge *e, const pml_stmt *s)
{
  effect *f = model_add_effect(l->m, e, EFFECT_PRINT, s->where);
  f->format = unescape(l, s->text);
  for (uint32_t i = 0; i < s->arg_count; i++)
    vec_push(&f->args, lower_expr(l, s->args[i]));
}

static void fill_statement(lower *l, edge *e, const pml_stmt *s)
{
  process_kind kind = e->process->kind;
  bool event = kind == PROCESS_TRACE || kind == PROCESS_NOTRACE;
  switch (s->kind) {
  case S_EXPR:
    fill_condition(l, e, s);
    break;
  case S_ASSIGN:
    fill_assignment(l, e, s);
    break;
  case S_SEND:
    e->comm = lower_send(l, s, event);
    break;
  case S_RECV:
    e->comm = lower_receive(l, s, event);
    break;
  case S_ASSERT:
    model_add_effect(l->m, e, EFFECT_ASSERT, s->where)->value =
        lower_expr(l, s->a);
    break;
  case S_PRINTF:
    fill_print(l, e, s);
    break;
  case S_PRINTM:
    model_add_effect(l->m, e, EFFECT_PRINTM, s->where)->value =
        lower_expr(l, s->a);
    break;
  case S_SET_PRIORITY:
    add_eval(l, e,
             expr_new(l->m, OP_SET_PRIORITY, lower_expr(l, s->a),
                      lower_expr(l, s->b), NULL, s->where));
    break;
  case S_C_CODE:
    if (s->test)
      add_eval(l, e, lower_c(l, s->test));
    add_eval(l, e, lower_c(l, s->code));
    break;
  default:
    diag_error(l->diags, s->where, "this statement is not supported");
    break;
  }
}

/* A declaration between statements assigns when it is reached; of an array
** only the first element, and nothing of a record. */
static void fill_declaration(lower *l, lower_proc *p, edge *e, pml_var *v)
{
  if (v->type.type == PML_RECORD || v->init_kind == INIT_CHAN)
    return;
  effect *f = model_add_effect(l->m, e, EFFECT_ASSIGN, v->where);
  expr *first = v->is_array ? expr_const(l->m, 0, v->where) : NULL;
  f->target = ref_new(l->m, p->locals[v->index], first, NULL, v->where);
  f->value = v->init_kind == INIT_EXPR ? lower_expr(l, v->init)
                                       : expr_const(l->m, 0, v->where);
}

static void fill_edge(lower *l, lower_proc *p, edge *e, flow_element *by)
{
  e->number = by->id;
  e->text = lower_text(l, by);
  e->written = lower_written(l, by);
  switch (by->kind) {
  case FLOW_STEP:
    if (by->var)
      fill_declaration(l, p, e, by->var);
    else
      fill_statement(l, e, by->stmt);
    break;
  case FLOW_ELSE:
    e->flags |= EDGE_ELSE;
    break;
  case FLOW_SKIP:
  case FLOW_JOIN:
  case FLOW_EXIT:
    e->flags |= EDGE_UNSEEN;
    break;
  case FLOW_END:
    model_add_effect(l->m, e, EFFECT_DIE, by->where);
    break;
  case FLOW_DSTEP: {
    flow_element *entry = dstep_entry(p, by);
    e->flags |= EDGE_DSTEP | (entry->kind == FLOW_ELSE ? EDGE_ELSE : 0u);
    e->block = p->places[entry->number];
    break;
  }
  case FLOW_GOTO:
  case FLOW_IF:
  case FLOW_DO:
  case FLOW_ATOMIC:
  case FLOW_BLOCK:
  case FLOW_UNLESS:
    break;
  }
}

/* Steps from one escape after the other form groups; the earlier group has
** the higher rank. */
static uint32_t count_groups(const flow_step *s)
{
  uint32_t groups = 0;
  for (; s; s = s->next)
    groups += !s->next || s->next->escape != s->escape;
  return groups;
}

static void add_steps(lower *l, lower_proc *p, uint32_t number)
{
  flow_step *s = p->table->places[number].steps;
  uint32_t rank = count_groups(s);
  /* Observers have no process to end. */
  bool observer = p->proc->kind != PROC_PROCTYPE && p->proc->kind != PROC_INIT;
  for (uint32_t escape = NO_PLACE; s; s = s->next) {
    if (s->escape != escape)
      rank--;
    escape = s->escape;
    if (observer && s->by->kind == FLOW_END)
      continue;
    uint32_t from = p->places[number];
    uint32_t to = s->target ? p->places[s->target] : from;
    edge *e = model_add_edge(l->m, p->type, from, to, s->by->where);
    e->rank = rank;
    if (s->atomic)
      e->flags |= EDGE_ATOMIC;
    fill_edge(l, p, e, s->by);
  }
}

static void add_inner_steps(lower *l, lower_proc *p, uint32_t number,
                            uint32_t leave)
{
  inner_step *steps = NULL;
  open_inner(l, p, p->flow->elements[number], &steps);
  for (; steps; steps = steps->next) {
    uint32_t to = steps->behind ? p->places[steps->behind->number] : leave;
    edge *e =
        model_add_edge(l->m, p->type, p->places[number], to, steps->by->where);
    fill_edge(l, p, e, steps->by);
  }
}

/* Where each d_step leads, by its id. */
static uint32_t *dstep_exits(lower *l, lower_proc *p)
{
  uint32_t *exits = ARENA_ARRAY(l->arena, uint32_t, p->flow->count);
  for (uint32_t i = 1; i < p->flow->count; i++) {
    flow_element *e = p->flow->elements[i];
    if (e->kind == FLOW_DSTEP && p->table->places[i].steps)
      exits[dstep_of(e)] = p->places[p->table->places[i].steps->target];
  }
  return exits;
}

void lower_edges(lower *l, lower_proc *p)
{
  uint32_t *exits = dstep_exits(l, p);
  for (uint32_t i = 1; i < p->flow->count; i++) {
    if (p->places[i] == NO_PLACE)
      continue;
    if (is_inner(p, i))
      add_inner_steps(l, p, i, exits[p->flow->elements[i]->dstep]);
    else
      add_steps(l, p, i);
  }
}
