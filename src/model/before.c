/* Looking through a step: what an expression will be worth after it, said of
** the state before it.  docs/model.md, section 6, says what it is good for. */

#include "model/model.h"

#include <assert.h>

static expr *assigned(const edge *e, const var *v)
{
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    if (f->kind == EFFECT_ASSIGN && f->target->var == v)
      return f->value;
  }
  return NULL;
}

expr *expr_before(model *m, const edge *e, expr *x)
{
  assert(e->flags & EDGE_PARALLEL && !e->comm);
  if (x->op == OP_VAR) {
    assert(!x->ref->index && !x->ref->field);
    expr *value = assigned(e, x->ref->var);
    return value ? value : x;
  }
  expr *args[3] = {NULL, NULL, NULL};
  bool same = true;
  for (int i = 0; i < 3 && x->args[i]; i++) {
    args[i] = expr_before(m, e, x->args[i]);
    same = same && args[i] == x->args[i];
  }
  return same ? x : expr_new(m, x->op, args[0], args[1], args[2], x->where);
}
