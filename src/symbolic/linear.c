/* Reads sums from expressions where no value can wrap, and makes the set of
** states that satisfy one. */

#include "symbolic/linear.h"

/* ---- reading ------------------------------------------------------------ */

/* Adds 'times' * e to the sum. */
static bool add_sum(symbolic_space *s, const expr *e, int32_t times,
                    linear *sum)
{
  switch (e->op) {
  case OP_CONST:
    sum->constant += (int64_t)times * e->value;
    return true;
  case OP_VAR: {
    if (e->ref->index || e->ref->field || e->ref->var->length != 1)
      return false;
    const field *f = field_of_global(s, e->ref->var, 0);
    if (!f)
      return false;
    sum->factors[f->level] += times;
    return true;
  }
  case OP_NEG:
    return add_sum(s, e->args[0], -times, sum);
  case OP_ADD:
  case OP_SUB:
    return add_sum(s, e->args[0], times, sum) &&
           add_sum(s, e->args[1], e->op == OP_ADD ? times : -times, sum);
  default:
    return false;
  }
}

/* The greatest size that any part of the sum can have in 32 bits. */
static bool cannot_wrap(symbolic_space *s, const linear *sum)
{
  uint32_t *most = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  uint32_t *least = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  int64_t all = sum->constant < 0 ? -sum->constant : sum->constant;
  if (s->options.net && !set_extremes(s->library, s->reachable, least, most))
    return false;
  for (size_t i = 0; i < s->fields.len; i++) {
    const field *f = &s->fields.data[i];
    if (!sum->factors[f->level])
      continue;
    int64_t factor = sum->factors[f->level], hi = most[f->level];
    if (!s->options.net) {
      const struct type *t = &f->var->type;
      int64_t lo = t->lo < 0 ? -(int64_t)t->lo : t->lo;
      hi = t->hi < 0 ? -(int64_t)t->hi : t->hi;
      hi = hi > lo ? hi : lo;
      /* Elements of arrays of bits and of unsigneds have whole bytes. */
      hi = hi < 255 ? 255 : hi;
    }
    all += (factor < 0 ? -factor : factor) * hi;
    if (all > INT32_MAX)
      return false;
  }
  return all <= INT32_MAX;
}

bool linear_read(symbolic_space *s, const expr *e, linear *sum)
{
  *sum = (linear){.compare = e->op};
  sum->factors = ARENA_ARRAY(s->arena, int32_t, s->fields.len);
  switch (e->op) {
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
    /* Comparisons of truth values are not about sums. */
    return add_sum(s, e->args[0], 1, sum) && add_sum(s, e->args[1], -1, sum) &&
           cannot_wrap(s, sum);
  case OP_VAR:
    sum->compare = OP_NE;
    return add_sum(s, e, 1, sum);
  default:
    return false;
  }
}

/* ---- the states --------------------------------------------------------- */

symbolic_set linear_states(symbolic_space *s, const linear *sum)
{
  int64_t zero = -sum->constant, lo = INT64_MIN, hi = INT64_MAX;
  switch (sum->compare) {
  case OP_LT:
    hi = zero - 1;
    break;
  case OP_LE:
    hi = zero;
    break;
  case OP_GT:
    lo = zero + 1;
    break;
  case OP_GE:
    lo = zero;
    break;
  default:
    lo = hi = zero;
    break;
  }
  symbolic_set states =
      set_between(s->library, s->reachable, sum->factors, lo, hi);
  return sum->compare == OP_NE ? set_minus(s->library, s->reachable, states)
                               : states;
}

/* ---- what an expression reads ------------------------------------------- */

static bool ref_reads(symbolic_space *s, const ref *r, const field *f);

static bool is_simple(op o)
{
  switch (o) {
  case OP_CONST:
  case OP_VAR:
  case OP_NEG:
  case OP_NOT:
  case OP_COMPL:
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_DIV:
  case OP_MOD:
  case OP_BITAND:
  case OP_BITOR:
  case OP_BITXOR:
  case OP_SHL:
  case OP_SHR:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_AND:
  case OP_OR:
  case OP_IMPLY:
  case OP_COND:
    return true;
  default:
    return false;
  }
}

/* Channels are told apart by numbers in variables; processes likewise. */
static bool reads_kind(const expr *e, const field *f)
{
  switch (e->op) {
  case OP_LEN:
  case OP_EMPTY:
  case OP_NEMPTY:
  case OP_FULL:
  case OP_NFULL:
    return f->kind == FIELD_CHANNEL;
  case OP_AT:
    return f->kind == FIELD_LOCATION && f->type == e->process;
  case OP_REMOTE:
    return f->process >= 0 && f->var == e->ref->var;
  default:
    return true;
  }
}

bool linear_reads(symbolic_space *s, const expr *e, const field *f)
{
  if (!e)
    return false;
  if (f->kind == FIELD_STATE || (!is_simple(e->op) && reads_kind(e, f)))
    return true;
  if (e->ref && ref_reads(s, e->ref, f))
    return true;
  for (int i = 0; i < 3; i++)
    if (linear_reads(s, e->args[i], f))
      return true;
  return false;
}

static bool ref_reads(symbolic_space *s, const ref *r, const field *f)
{
  for (const ref *part = r; part; part = part->field)
    if (linear_reads(s, part->index, f))
      return true;
  if (f->kind != FIELD_VARIABLE || f->var != r->var)
    return false;
  /* One element, when it is known which. */
  bool simple = r->var->type.kind != TYPE_RECORD;
  if (simple && r->index && r->index->op == OP_CONST)
    return f->element == (uint32_t)r->index->value;
  return true;
}
