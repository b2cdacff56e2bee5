/* Warns of constants that a variable can never hold, in the order of the
** source: 'byte b = 300', 'x == 260' for a byte x; and of 'x / 0'. */

#include "lang/promela/lower/lower.h"

typedef struct misfit {
  span where;
  const char *message;
  struct misfit *next;
} misfit;

/* The list is sorted by place; a place is told once, however often its statement
** was copied. */
typedef struct misfits {
  lower *l;
  misfit *first;
  uint32_t count;
} misfits;

enum { MISFITS_MAX = 100 };

static bool is_before(span a, span b)
{
  return a.file != b.file ? a.file < b.file : a.start < b.start;
}

/* Takes the message from the buffer. */
static void add_misfit(misfits *m, span where)
{
  text *t = &m->l->buffer;
  misfit **at = &m->first;
  while (*at && is_before((*at)->where, where))
    at = &(*at)->next;
  bool again = *at && !is_before(where, (*at)->where);
  if (!again && m->count < MISFITS_MAX) {
    misfit *new = ARENA_NEW(m->l->arena, misfit);
    new->where = where;
    new->message = arena_copy(m->l->arena, text_string(t), t->len);
    new->next = *at;
    *at = new;
    m->count++;
  }
  text_clear(t);
}

static bool is_constant(const expr *e, int32_t *value)
{
  int32_t a, b = 0;
  if (e->op == OP_CONST) {
    *value = e->value;
    return !e->label;
  }
  if (e->op == OP_NEG)
    return is_constant(e->args[0], &a) && op_apply(OP_NEG, a, 0, value);
  return e->op >= OP_ADD && e->op <= OP_MOD && is_constant(e->args[0], &a) &&
         is_constant(e->args[1], &b) && op_apply(e->op, a, b, value);
}

/* A number: not a symbol, a channel or a range, which have rules of their own. */
static bool is_number(const var *v)
{
  type_kind k = v->type.kind;
  return !(v->flags & VAR_SCRATCH) &&
         (k == TYPE_BIT || k == TYPE_BOOL || k == TYPE_BYTE ||
          k == TYPE_SHORT || (k == TYPE_UNSIGNED && v->type.bits < 32));
}

static void look_at_value(misfits *m, const var *v, const expr *e)
{
  int32_t value;
  text *t = &m->l->buffer;
  if (!e || !is_number(v) || !is_constant(e, &value) ||
      type_truncate(&v->type, value) == value)
    return;
  text_clear(t);
  text_printf(t, "%d does not fit ", value);
  type_print(&v->type, t);
  text_printf(t, ": it becomes %d", type_truncate(&v->type, value));
  add_misfit(m, e->where);
}

static const var *last_var(const ref *r)
{
  while (r->field)
    r = r->field;
  return r->var;
}

static void look_at_comparison(misfits *m, const expr *e, const expr *x,
                               const expr *constant)
{
  int32_t value;
  text *t = &m->l->buffer;
  const var *v = x->op == OP_VAR ? last_var(x->ref) : NULL;
  if (!v || !is_number(v) || !is_constant(constant, &value) ||
      type_truncate(&v->type, value) == value)
    return;
  text_clear(t);
  text_printf(t, "'%.64s' is ", v->name);
  type_print(&v->type, t);
  text_printf(t, ", which is never %d: this is always %s", value,
              e->op == OP_EQ ? "false" : "true");
  add_misfit(m, e->where);
}

static void look_at_division(misfits *m, const expr *e)
{
  int32_t by;
  if (!is_constant(e->args[1], &by) || by)
    return;
  text_clear(&m->l->buffer);
  text_add(&m->l->buffer, "this divides by zero");
  add_misfit(m, e->where);
}

static void look_into(misfits *m, const expr *e)
{
  if (!e)
    return;
  if (e->op == OP_DIV || e->op == OP_MOD)
    look_at_division(m, e);
  if (e->op == OP_EQ || e->op == OP_NE) {
    look_at_comparison(m, e, e->args[0], e->args[1]);
    look_at_comparison(m, e, e->args[1], e->args[0]);
  }
  for (int i = 0; i < 3; i++)
    look_into(m, e->args[i]);
}

static void look_at_edge(misfits *m, const edge *e)
{
  look_into(m, e->guard);
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *one = e->effects.data[i];
    look_into(m, one->value);
    if (one->kind == EFFECT_ASSIGN)
      look_at_value(m, last_var(one->target), one->value);
  }
}

static void look_at_var(misfits *m, const var *v)
{
  for (size_t i = 0; i < v->init.len; i++)
    look_at_value(m, v, v->init.data[i]);
}

void lower_warn_misfits(lower *l)
{
  misfits m = {.l = l};
  for (size_t i = 0; i < l->m->globals.len; i++)
    look_at_var(&m, l->m->globals.data[i]);
  for (size_t i = 0; i < l->m->processes.len; i++)
    for (size_t k = 0; k < l->m->processes.data[i]->locals.len; k++)
      look_at_var(&m, l->m->processes.data[i]->locals.data[k]);
  for (size_t i = 0; i < l->m->edges.len; i++)
    look_at_edge(&m, l->m->edges.data[i]);
  for (const misfit *one = m.first; one; one = one->next)
    diag_warn(l->diags, one->where, "%s", one->message);
  text_free(&l->buffer);
}
