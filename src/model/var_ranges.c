#include "model/var_ranges.h"

#include <stdlib.h>

static int by_variable(const void *a, const void *b)
{
  const var_range *x = a, *y = b;
  return (uintptr_t)x->var < (uintptr_t)y->var
             ? -1
             : (uintptr_t)x->var > (uintptr_t)y->var;
}

static void add(var_ranges *r, const var *v)
{
  vec_push(&r->list, ((var_range){v, INT32_MAX, INT32_MIN}));
}

void var_ranges_start(var_ranges *r, const model *m)
{
  *r = (var_ranges){0};
  for (size_t i = 0; i < m->globals.len; i++)
    add(r, m->globals.data[i]);
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++)
      add(r, m->processes.data[i]->locals.data[k]);
  if (r->list.len)
    qsort(r->list.data, r->list.len, sizeof *r->list.data, by_variable);
}

void var_ranges_free(var_ranges *r)
{
  vec_free(&r->list);
}

var_range *var_ranges_find(const var_ranges *r, const var *v)
{
  var_range wanted = {.var = v};
  return r->list.len ? bsearch(&wanted, r->list.data, r->list.len,
                               sizeof *r->list.data, by_variable)
                     : NULL;
}
