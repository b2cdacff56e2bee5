/* Finishing a model: edges sorted by location, facts that the search wants to
** know gathered as flags, and everything checked that a front end must keep.
** A broken promise of a front end is our bug and asserted; what only a user
** can get wrong (a model beyond a limit) is a diagnostic. */

#include "base/alloc.h"
#include "base/source/shown.h"
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>

enum {
  STATE_MAX = 1 << 28,  /* bytes of all variables of one kind together */
  MESSAGE_MAX = 1 << 24 /* bytes of one channel's buffer */
};

typedef struct checker {
  model *m;
  diags *d;
  const process_type *owner; /* whose locals may be used, or NULL */
} checker;

static void check_expr(checker *, const expr *);

/* What every front end promises. */
static void must(bool kept)
{
  assert(kept);
  (void)kept;
}

static void note_need(checker *c, uint32_t flags)
{
  c->m->flags |= flags;
  c->m->step_needs |= flags;
}

/* ---- expressions ------------------------------------------------------ */

static int arity_of(op o)
{
  static const uint8_t arity[] = {
#define OP(name, n, text, meaning) n,
      MODEL_OPS(OP)
#undef OP
  };
  return arity[o];
}

/* Every step but the last is a record, the last a scalar. */
static void check_ref(checker *c, const ref *r, const process_type *owner)
{
  must(r && r->var);
  must(!r->var->is_field && (!r->var->owner || r->var->owner == owner));
  for (; r; r = r->field) {
    must(r->index || r->var->length == 1);
    must((r->field != NULL) == (r->var->type.kind == TYPE_RECORD));
    if (r->field)
      must(r->field->var->is_field);
    if (r->index)
      check_expr(c, r->index);
  }
}

static void check_comm(checker *c, const comm *x)
{
  check_expr(c, x->channel);
  for (size_t i = 0; i < x->args.len; i++) {
    const comm_arg *a = &x->args.data[i];
    if (a->kind == ARG_VALUE)
      check_expr(c, a->value);
    else if (a->kind == ARG_STORE)
      check_ref(c, a->target, c->owner);
  }
}

static void check_run(checker *c, const run *r)
{
  must(r->process && r->args.len == r->process->parameters);
  for (size_t i = 0; i < r->args.len; i++)
    check_expr(c, r->args.data[i]);
  if (r->priority)
    check_expr(c, r->priority);
  c->m->flags |= MODEL_HAS_RUN;
  if (r->priority)
    note_need(c, MODEL_HAS_PRIORITY);
}

static void check_op(checker *c, const expr *e)
{
  if (e->op == OP_VAR)
    check_ref(c, e->ref, c->owner);
  else if (e->op == OP_REMOTE)
    check_ref(c, e->ref, e->process);
  else if (e->op == OP_AT)
    must(e->process && e->location < e->process->locations.len);
  else if (e->op == OP_POLL)
    check_comm(c, e->poll);
  else if (e->op == OP_RUN)
    check_run(c, e->run);
  else if (e->op == OP_EMBED)
    must(e->value >= 0 && (size_t)e->value < c->m->c_code.len);
}

static void check_expr(checker *c, const expr *e)
{
  must(e && e->op < OP_COUNT_);
  int arity = arity_of(e->op);
  for (int i = 0; i < 3; i++)
    must((e->args[i] != NULL) == (i < arity));
  check_op(c, e);
  note_need(c, op_needs(e->op));
  for (int i = 0; i < arity; i++)
    check_expr(c, e->args[i]);
}

/* ---- edges ------------------------------------------------------------ */

static void check_effect(checker *c, const effect *f)
{
  switch (f->kind) {
  case EFFECT_ASSIGN:
    check_ref(c, f->target, c->owner);
    check_expr(c, f->value);
    break;
  case EFFECT_EVAL:
  case EFFECT_ASSERT:
  case EFFECT_PRINTM:
    check_expr(c, f->value);
    break;
  case EFFECT_PRINT:
    must(f->format);
    for (size_t i = 0; i < f->args.len; i++)
      check_expr(c, f->args.data[i]);
    break;
  case EFFECT_DIE:
    c->m->flags |= MODEL_HAS_DEATH;
    break;
  }
}

static void check_edge(checker *c, const edge *e)
{
  const process_type *p = e->process;
  must(e->source < p->locations.len && e->target < p->locations.len);
  if (e->flags & EDGE_DSTEP)
    must(e->block < p->locations.len &&
         (p->locations.data[e->block].flags & LOC_DSTEP));
  if (e->guard)
    check_expr(c, e->guard);
  must(!(c->m->flags & MODEL_SYNCHRONOUS) || !e->comm);
  if (e->comm)
    check_comm(c, e->comm);
  for (size_t i = 0; i < e->effects.len; i++)
    check_effect(c, e->effects.data[i]);
}

/* By source, then falling rank, then the front end's own order. */
static int compare_edges(const void *a, const void *b)
{
  const edge *x = *(edge *const *)a, *y = *(edge *const *)b;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void sort_edges(process_type *p)
{
  vec_clear(&p->order);
  vec_grow(&p->order, p->edges.len);
  for (size_t i = 0; i < p->edges.len; i++)
    vec_push(&p->order, p->edges.data[i]);
  if (p->order.len)
    qsort(p->order.data, p->order.len, sizeof *p->order.data, compare_edges);
  for (size_t i = 0; i < p->locations.len; i++)
    p->locations.data[i].edge_count = p->locations.data[i].first_edge = 0;
  for (size_t i = p->order.len; i-- > 0;) {
    location *l = &p->locations.data[p->order.data[i]->source];
    l->first_edge = (uint32_t)i;
    l->edge_count++;
  }
}

/* ---- variables and channels ------------------------------------------- */

static void check_var(checker *c, const var *v)
{
  if (v->flags & VAR_HIDDEN)
    c->m->flags |= MODEL_HAS_HIDDEN;
  must(v->length >= 1);
  must(v->init.len <= 1 || v->init.len == v->length);
  for (size_t i = 0; i < v->init.len; i++)
    check_expr(c, v->init.data[i]);
}

/* Fields are of records that were declared before. */
static void measure_record(record *r)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < r->fields.len; i++) {
    var *field = r->fields.data[i];
    field->offset = (uint32_t)sum;
    sum += (uint64_t)type_bytes(&field->type) * field->length;
    if (sum > UINT32_MAX)
      sum = UINT32_MAX;
  }
  r->bytes = (uint32_t)sum;
}

/* Refuses sizes that no state could have. */
static void check_size(checker *c, const var *const *vars, size_t n)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += (uint64_t)vars[i]->length * type_bytes(&vars[i]->type);
    if (sum > STATE_MAX) {
      diag_error(c->d, vars[i]->where,
                 "'%s' makes the variables larger than %d MiB", vars[i]->name,
                 STATE_MAX >> 20);
      return;
    }
  }
}

static void check_channel(checker *c, const channel_type *t)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < t->fields.len; i++) {
    must(t->fields.data[i].kind != TYPE_RECORD);
    bytes += type_bytes(&t->fields.data[i]);
  }
  if (bytes * (t->capacity ? t->capacity : 1) > MESSAGE_MAX)
    diag_error(c->d, t->where, "channel '%s' is larger than %d MiB", t->name,
               MESSAGE_MAX >> 20);
}

static void check_process(checker *c, process_type *p)
{
  c->owner = p;
  must(p->start < p->locations.len && p->parameters <= p->locals.len);
  for (size_t i = 0; i < p->locals.len; i++)
    check_var(c, p->locals.data[i]);
  check_size(c, (const var *const *)p->locals.data, p->locals.len);
  sort_edges(p);
  for (size_t i = 0; i < p->edges.len; i++)
    check_edge(c, p->edges.data[i]);
  for (size_t i = 0; i < p->locations.len; i++)
    if (p->locations.data[i].flags & LOC_COMMITTED)
      c->m->flags |= MODEL_HAS_COMMITTED;
  for (size_t i = 0; i < p->only_reads.len; i++)
    check_expr(c, p->only_reads.data[i]);
  for (size_t i = 0; i < p->only_sends.len; i++)
    check_expr(c, p->only_sends.data[i]);
  if (p->provided)
    check_expr(c, p->provided);
  if (p->priority != 1)
    note_need(c, MODEL_HAS_PRIORITY);
  c->owner = NULL;
}

/* ---- names -------------------------------------------------------------- */

static void show_vars(arena *a, var *const *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    list[i]->name = shown(a, list[i]->name);
}

static void show_process(arena *a, process_type *p)
{
  p->name = shown(a, p->name);
  show_vars(a, p->locals.data, p->locals.len);
  for (size_t i = 0; i < p->locations.len; i++)
    p->locations.data[i].label = shown(a, p->locations.data[i].label);
}

/* Makes harmless whatever a report may show: see base/source/shown.h. */
static void show_names(model *m)
{
  arena *a = m->arena;
  show_vars(a, m->globals.data, m->globals.len);
  for (size_t i = 0; i < m->records.len; i++) {
    m->records.data[i]->name = shown(a, m->records.data[i]->name);
    show_vars(a, m->records.data[i]->fields.data,
              m->records.data[i]->fields.len);
  }
  for (size_t i = 0; i < m->channels.len; i++)
    m->channels.data[i]->name = shown(a, m->channels.data[i]->name);
  for (size_t i = 0; i < m->processes.len; i++)
    show_process(a, m->processes.data[i]);
  for (size_t i = 0; i < m->edges.len; i++) {
    m->edges.data[i]->text = shown(a, m->edges.data[i]->text);
    m->edges.data[i]->written = shown(a, m->edges.data[i]->written);
  }
  for (size_t i = 0; i < m->mtypes.len; i++)
    m->mtypes.data[i].name = shown(a, m->mtypes.data[i].name);
}

bool model_check(model *m, diags *d)
{
  size_t before = diags_errors(d);
  checker c = {.m = m, .d = d};
  show_names(m);
  for (size_t i = 0; i < m->edges.len; i++)
    must(m->edges.data[i]->index == i);
  for (size_t i = 0; i < m->records.len; i++)
    measure_record(m->records.data[i]);
  for (size_t i = 0; i < m->globals.len; i++)
    check_var(&c, m->globals.data[i]);
  check_size(&c, (const var *const *)m->globals.data, m->globals.len);
  for (size_t i = 0; i < m->channels.len; i++)
    check_channel(&c, m->channels.data[i]);
  for (size_t i = 0; i < m->processes.len; i++)
    check_process(&c, m->processes.data[i]);
  for (size_t i = 0; i < m->properties.len; i++)
    if (m->properties.data[i].expr)
      check_expr(&c, m->properties.data[i].expr);
  return diags_errors(d) == before;
}
