#include "model/model.h"

static bool same_ref(const ref *a, const ref *b)
{
  if (!a || !b)
    return a == b;
  return a->var == b->var && expr_same(a->index, b->index) &&
         same_ref(a->field, b->field);
}

bool expr_same(const expr *a, const expr *b)
{
  if (a == b || !a || !b)
    return a == b;
  return a->op == b->op && a->value == b->value && a->poll == b->poll &&
         a->run == b->run && a->process == b->process &&
         a->location == b->location && same_ref(a->ref, b->ref) &&
         expr_same(a->args[0], b->args[0]) &&
         expr_same(a->args[1], b->args[1]) && expr_same(a->args[2], b->args[2]);
}

bool expr_reads(const expr *e, const var *v)
{
  if (!e)
    return false;
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->var == v || expr_reads(r->index, v))
      return true;
  return expr_reads(e->args[0], v) || expr_reads(e->args[1], v) ||
         expr_reads(e->args[2], v);
}
