#include "model/temporal.h"

#include <assert.h>

const temporal *temporal_condition(model *m, expr *condition)
{
  assert(condition);
  temporal *t = ARENA_NEW(m->arena, temporal);
  *t = (temporal){.kind = TEMPORAL_CONDITION, .condition = condition};
  return t;
}

const temporal *temporal_new(model *m, temporal_kind kind, const temporal *a,
                             const temporal *b)
{
  assert(kind != TEMPORAL_CONDITION && a &&
         (b != NULL) == (kind >= TEMPORAL_AND));
  temporal *t = ARENA_NEW(m->arena, temporal);
  *t = (temporal){.kind = kind, .a = a, .b = b};
  return t;
}

void temporal_print(const model *m, const temporal *t, text *out)
{
  static const char *const signs[] = {
      [TEMPORAL_NOT] = "!",          [TEMPORAL_NEXT] = "X ",
      [TEMPORAL_EVENTUALLY] = "<> ", [TEMPORAL_ALWAYS] = "[] ",
      [TEMPORAL_AND] = "&&",         [TEMPORAL_OR] = "||",
      [TEMPORAL_IMPLIES] = "->",     [TEMPORAL_EQUIV] = "<->",
      [TEMPORAL_UNTIL] = "U",        [TEMPORAL_WEAK_UNTIL] = "W",
      [TEMPORAL_RELEASE] = "V",      [TEMPORAL_STRONG_RELEASE] = "M",
  };
  if (t->kind == TEMPORAL_CONDITION) {
    text_add_char(out, '(');
    expr_print(m, t->condition, out);
    text_add_char(out, ')');
    return;
  }
  if (!t->b) {
    text_add(out, signs[t->kind]);
    temporal_print(m, t->a, out);
    return;
  }
  text_add_char(out, '(');
  temporal_print(m, t->a, out);
  text_printf(out, " %s ", signs[t->kind]);
  temporal_print(m, t->b, out);
  text_add_char(out, ')');
}
