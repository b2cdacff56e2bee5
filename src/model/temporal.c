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
