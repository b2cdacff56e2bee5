/* The values that expressions can have, as far as constants, types and
** variables that never change tell. */

#include "model/access/access_internal.h"

/* ---- variables that change -------------------------------------------- */

static var_facts *facts_of(const access_sets *a, const var *v)
{
  return v->owner ? &a->parts->local_facts[v->owner->index][v->index]
                  : &a->parts->global_facts[v->index];
}

bool access_is_assigned(const access_sets *a, const var *v)
{
  return facts_of(a, v)->assigned;
}

static void note_assigned(access_sets *a, const ref *r)
{
  facts_of(a, r->var)->assigned = true;
}

static void note_effects(access_sets *a, const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSIGN)
      note_assigned(a, e->effects.data[i]->target);
}

/* Embedded C can write to any variable, and so can plug-ins. */
static void note_all(access_sets *a)
{
  const model *m = a->model;
  for (size_t i = 0; i < m->globals.len; i++)
    facts_of(a, m->globals.data[i])->assigned = true;
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++)
      facts_of(a, m->processes.data[i]->locals.data[k])->assigned = true;
}

void access_find_assigned(access_sets *a)
{
  const model *m = a->model;
  access_parts *p = a->parts;
  p->global_facts = ARENA_ARRAY(a->arena, var_facts, m->globals.len + 1);
  p->local_facts = ARENA_ARRAY(a->arena, var_facts *, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++)
    p->local_facts[i] =
        ARENA_ARRAY(a->arena, var_facts, m->processes.data[i]->locals.len + 1);
  for (size_t i = 0; i < m->edges.len; i++)
    note_effects(a, m->edges.data[i]);
  for (size_t i = 0; i < m->comms.len; i++)
    for (size_t k = 0; k < m->comms.data[i]->args.len; k++)
      if (m->comms.data[i]->args.data[k].kind == ARG_STORE)
        note_assigned(a, m->comms.data[i]->args.data[k].target);
  if (m->flags & (MODEL_HAS_C | MODEL_HAS_PLUGIN))
    note_all(a);
}

/* ---- ranges ----------------------------------------------------------- */

static const value_range ALL_VALUES = {INT32_MIN, INT32_MAX};

static value_range fit(int64_t lo, int64_t hi)
{
  value_range r = {lo, hi};
  return lo < INT32_MIN || hi > INT32_MAX ? ALL_VALUES : r;
}

/* Elements of arrays of bits have whole bytes (see keep_of_var): nothing is
** known about them that does not hold for all numbers of that size. */
static value_range range_of_type(const var *v)
{
  const type *t = &v->type;
  bool packed =
      t->kind == TYPE_BIT || t->kind == TYPE_BOOL || t->kind == TYPE_UNSIGNED;
  if (!packed || !(v->flags & VAR_ARRAY))
    return fit(t->lo, t->hi);
  uint32_t bytes = type_bytes(t);
  return bytes == 1   ? fit(0, UINT8_MAX)
         : bytes == 2 ? fit(0, UINT16_MAX)
                      : ALL_VALUES;
}

static value_range join_ranges(value_range a, value_range b)
{
  return fit(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}

/* What is in a variable that got no value: all bits 0. */
static value_range range_of_nothing(const var *v)
{
  int32_t zero = v->type.kind == TYPE_RANGE ? v->type.lo : 0;
  return fit(zero, zero);
}

/* A parameter has what those give it who run its process, and nothing in those
** there from the start. */
static value_range range_of_parameter(const access_sets *a, const var *v)
{
  const model *m = a->model;
  value_range all = {INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < m->initial.len; i++)
    if (m->initial.data[i] == v->owner)
      all = range_of_nothing(v);
  for (size_t i = 0; i < m->runs.len; i++)
    if (m->runs.data[i]->process == v->owner) {
      value_range r =
          access_range(a, NULL, m->runs.data[i]->args.data[v->index]);
      all = all.lo > all.hi ? r : join_ranges(all, r);
    }
  return all.lo > all.hi ? range_of_nothing(v) : all;
}

static value_range range_of_inits(const access_sets *a, const var *v)
{
  value_range all = range_of_nothing(v);
  for (size_t i = 0; i < v->init.len; i++) {
    value_range r = access_range(a, v->owner, v->init.data[i]);
    all = i ? join_ranges(all, r) : r;
  }
  return all;
}

/* A variable that no edge changes has its first value for ever.  What refers to
** itself while it is looked at may have any value of its type. */
static value_range range_of_var(const access_sets *a, const ref *r)
{
  const var *v = r->var;
  var_facts *f = facts_of(a, v);
  if (r->field || v->init_channel || f->assigned) {
    while (r->field)
      r = r->field;
    return range_of_type(r->var);
  }
  if (f->known)
    return f->range;
  value_range most = range_of_type(v);
  f->known = true;
  f->range = most;
  value_range first =
      v->flags & VAR_PARAM ? range_of_parameter(a, v) : range_of_inits(a, v);
  if (first.lo >= most.lo && first.hi <= most.hi)
    f->range = first;
  return f->range;
}

void access_know_ranges(const access_sets *a)
{
  const model *m = a->model;
  for (size_t i = 0; i < m->globals.len; i++)
    range_of_var(a, &(ref){.var = m->globals.data[i]});
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++)
      range_of_var(a, &(ref){.var = m->processes.data[i]->locals.data[k]});
}

/* Without 'run' the numbers of all processes are known. */
static value_range range_of_pid(const access_sets *a, const process_type *self)
{
  const model *m = a->model;
  if (self && self == a->parts->special)
    return fit(a->parts->special_number, a->parts->special_number);
  value_range r = {INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < m->initial.len; i++)
    if (m->initial.data[i] == self) {
      r.lo = r.lo == INT64_MAX ? (int64_t)i : r.lo;
      r.hi = (int64_t)i;
    }
  return m->flags & MODEL_HAS_RUN || r.lo > r.hi ? fit(-1, 255) : r;
}

static value_range range_of_product(value_range a, value_range b)
{
  int64_t all[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  int64_t lo = all[0], hi = all[0];
  for (int i = 1; i < 4; i++) {
    lo = all[i] < lo ? all[i] : lo;
    hi = all[i] > hi ? all[i] : hi;
  }
  return fit(lo, hi);
}

/* Remainders have the sign of the dividend; they are smaller than the divisor
** and not larger than the dividend. */
static value_range range_of_mod(value_range a, value_range b)
{
  if (b.lo <= 0)
    return ALL_VALUES;
  int64_t most = b.hi - 1;
  return fit(a.lo >= 0      ? 0
             : a.lo > -most ? a.lo
                            : -most,
             a.hi <= 0     ? 0
             : a.hi < most ? a.hi
                           : most);
}

static value_range range_of_and(value_range a, value_range b)
{
  if (a.lo < 0 && b.lo < 0)
    return ALL_VALUES;
  if (a.lo < 0 || b.lo < 0)
    return fit(0, a.lo < 0 ? b.hi : a.hi);
  return fit(0, a.hi < b.hi ? a.hi : b.hi);
}

static value_range range_of_binary(op o, value_range a, value_range b)
{
  switch (o) {
  case OP_ADD:
    return fit(a.lo + b.lo, a.hi + b.hi);
  case OP_SUB:
    return fit(a.lo - b.hi, a.hi - b.lo);
  case OP_MUL:
    return range_of_product(a, b);
  case OP_DIV: /* by a known positive number */
    return b.lo == b.hi && b.lo > 0 ? fit(a.lo / b.lo, a.hi / b.lo)
                                    : ALL_VALUES;
  case OP_MOD:
    return range_of_mod(a, b);
  case OP_BITAND:
    return range_of_and(a, b);
  default:
    return ALL_VALUES;
  }
}

value_range access_range(const access_sets *a, const process_type *self,
                         const expr *e)
{
  if (op_is_truth(e->op))
    return fit(0, 1);
  switch (e->op) {
  case OP_CONST:
    return fit(e->value, e->value);
  case OP_VAR:
    return range_of_var(a, e->ref);
  case OP_PID:
    return range_of_pid(a, self);
  case OP_NEG:
    return range_of_binary(OP_SUB, fit(0, 0),
                           access_range(a, self, e->args[0]));
  case OP_COND:
    return join_ranges(access_range(a, self, e->args[1]),
                       access_range(a, self, e->args[2]));
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_DIV:
  case OP_MOD:
  case OP_BITAND:
    return range_of_binary(e->op, access_range(a, self, e->args[0]),
                           access_range(a, self, e->args[1]));
  default:
    return ALL_VALUES;
  }
}
