/* Terms of coloured nets: bags of values on arcs and in markings, conditions.
**
** A term in <structure> is an element; operands stand in <subterm>s.  A value is
** a bag with one of it; so tuples of bags are bags of tuples. */

#include "lang/pnml/colours.h"

#include <stdlib.h>
#include <string.h>

static bool is(const xml_element *e, const char *name)
{
  return !strcmp(e->name, name);
}

/* The i-th operand, or NULL. */
static const xml_element *operand(const xml_element *e, uint32_t i)
{
  for (const xml_element *s = e->children; s; s = s->next)
    if (is(s, "subterm") && !i--)
      return s->children;
  return NULL;
}

static bool wrong(colours *c, const xml_element *e, const char *what)
{
  diag_error(c->diags, e->where, "expected %s, found <%s>", what, e->name);
  return false;
}

/* ---- bags ----------------------------------------------------------------- */

static void push(colours *c, colour_bag *b, uint32_t value, int64_t count)
{
  if (!b->room) {
    b->list = b->few;
    b->room = COLOUR_FEW;
  }
  if (b->count == b->room) {
    uint32_t room = 2 * b->room;
    colour_count *more = ARENA_ARRAY(c->arena, colour_count, room);
    memcpy(more, b->list, b->count * sizeof *more);
    b->list = more;
    b->room = room;
  }
  b->list[b->count++] = (colour_count){value, count};
}

/* A product of numbers of tokens; false: it is too great to be one. */
static bool multiply(int64_t a, int64_t b, int64_t *product)
{
  return !__builtin_mul_overflow(a, b, product) &&
         *product <= PNML_TOKENS_MAX && *product >= -PNML_TOKENS_MAX;
}

static int by_value(const void *a, const void *b)
{
  const colour_count *x = a, *y = b;
  return x->value < y->value ? -1 : x->value > y->value;
}

bool colour_bag_close(colour_bag *b)
{
  uint32_t kept = 0;
  bool good = true;
  if (b->count)
    qsort(b->list, b->count, sizeof *b->list, by_value);
  for (uint32_t i = 0; i < b->count;) {
    colour_count sum = b->list[i];
    for (i++; i < b->count && b->list[i].value == sum.value; i++)
      sum.count += b->list[i].count;
    good &= sum.count >= 0 && sum.count <= PNML_TOKENS_MAX;
    if (sum.count)
      b->list[kept++] = sum;
  }
  b->count = kept;
  return good;
}

/* ---- variables ------------------------------------------------------------ */

uint32_t binding_index(const colour_binding *b, const colour_variable *v)
{
  uint32_t i = 0;
  while (i < b->count && b->variables[i] != v)
    i++;
  return i;
}

void colour_variables(colours *c, const xml_element *e, colour_binding *b)
{
  const char *id = is(e, "variable") ? xml_value(e, "refvariable") : NULL;
  const colour_variable *v = id ? colours_variable(c, id) : NULL;
  if (v && binding_index(b, v) == b->count)
    b->variables[b->count++] = v;
  for (const xml_element *x = e->children; x; x = x->next)
    colour_variables(c, x, b);
}

/* ---- values --------------------------------------------------------------- */

/* The sort a term has by itself; NULL: whatever is expected. */
static const colour_sort *own_sort(colours *c, const xml_element *e)
{
  const char *id = xml_value(e, is(e, "variable")             ? "refvariable"
                                : is(e, "partitionelementof") ? "refpartition"
                                                              : "declaration");
  if (is(e, "variable")) {
    const colour_variable *v = id ? colours_variable(c, id) : NULL;
    return v ? v->sort : NULL;
  }
  if (is(e, "successor") || is(e, "predecessor"))
    return operand(e, 0) ? own_sort(c, operand(e, 0)) : NULL;
  if (is(e, "dotconstant"))
    return c->dot;
  for (const colour_sort *s = c->sorts; s && id; s = s->next)
    if (is(e, "partitionelementof")
            ? s->id == id
            : is(e, "useroperator") && colour_constant(s, id) >= 0)
      return s;
  return NULL;
}

static bool add_number(colours *c, const xml_element *e, const colour_sort *s,
                       int64_t times, colour_bag *to)
{
  const char *digits = xml_value(e, "value");
  char *rest = NULL;
  long long n = digits ? strtoll(digits, &rest, 10) : 0;
  if (!digits || *rest || n < s->start ||
      n >= s->start + (int64_t)s->size * s->each)
    return wrong(c, e, "a number of the sort");
  push(c, to, (uint32_t)(n - s->start) / s->each, times);
  return true;
}

/* A constant, or an element of a partition: all values of it. */
static bool add_operator(colours *c, const xml_element *e, const colour_sort *s,
                         int64_t times, colour_bag *to)
{
  const char *id = xml_value(e, "declaration");
  int64_t value = id ? colour_constant(s, id) : -1;
  if (value < 0 && s == c->dot && id && !strcmp(id, "dot"))
    value = 0;
  if (value >= 0) {
    push(c, to, (uint32_t)value, times);
    return true;
  }
  for (const colour_sort *p = c->sorts; p && id; p = p->next) {
    value = p->of == s ? colour_constant(p, id) : -1;
    for (uint32_t i = 0; value >= 0 && i < s->size; i++)
      if (p->class_of[i] == (uint32_t)value)
        push(c, to, i, times);
    if (value >= 0)
      return true;
  }
  diag_error(c->diags, e->where, "the sort has no value '%s'", id ? id : "");
  return false;
}

static bool add_variable(colours *c, const xml_element *e, const colour_sort *s,
                         const colour_binding *b, int64_t times, colour_bag *to)
{
  const char *id = xml_value(e, "refvariable");
  const colour_variable *v = id ? colours_variable(c, id) : NULL;
  uint32_t i = v && b ? binding_index(b, v) : 0;
  if (!v || !b || i == b->count || v->sort->size != s->size) {
    diag_error(c->diags, e->where, "there is no variable '%s' of this sort",
               id ? id : "");
    return false;
  }
  push(c, to, b->values[i], times);
  return true;
}

/* One further, or one back, in a ring. */
static bool add_neighbour(colours *c, const xml_element *e,
                          const colour_sort *s, const colour_binding *b,
                          int64_t times, colour_bag *to)
{
  uint32_t first = to->count, by = is(e, "successor") ? 1 : s->size - 1;
  const xml_element *x = operand(e, 0);
  if (!x || !colour_add(c, x, s, b, times, to))
    return x ? false : wrong(c, e, "an operand");
  for (uint32_t i = first; i < to->count; i++)
    to->list[i].value = (to->list[i].value + by) % s->size;
  return true;
}

static bool add_class(colours *c, const xml_element *e, const colour_sort *s,
                      const colour_binding *b, int64_t times, colour_bag *to)
{
  colour_bag inner = {0};
  const xml_element *x = operand(e, 0);
  if (!x || !s->of)
    return wrong(c, e, "an operand of a partition");
  if (!colour_add(c, x, s->of, b, 1, &inner))
    return false;
  for (uint32_t i = 0; i < inner.count; i++) {
    int64_t count;
    if (!multiply(times, inner.list[i].count, &count))
      return wrong(c, e, "smaller numbers");
    push(c, to, s->class_of[inner.list[i].value], count);
  }
  return true;
}

/* ---- bags of values ------------------------------------------------------- */

static bool add_tuple(colours *c, const xml_element *e, const colour_sort *s,
                      const colour_binding *b, int64_t times, colour_bag *to)
{
  colour_bag made = {0};
  push(c, &made, 0, times);
  for (uint32_t i = 0; i < s->part_count; i++) {
    colour_bag part = {0}, next = {0};
    const xml_element *x = operand(e, i);
    if (!x)
      return wrong(c, e, "a tuple with a component for each part of the sort");
    if (!colour_add(c, x, s->parts[i], b, 1, &part))
      return false;
    if ((uint64_t)made.count * part.count > COLOUR_VALUES_MAX)
      return wrong(c, e, "fewer tuples");
    for (uint32_t k = 0; k < made.count; k++)
      for (uint32_t j = 0; j < part.count; j++) {
        int64_t count;
        if (!multiply(made.list[k].count, part.list[j].count, &count))
          return wrong(c, e, "smaller numbers");
        push(c, &next,
             made.list[k].value * s->parts[i]->size + part.list[j].value,
             count);
      }
    made.count = 0;
    for (uint32_t k = 0; k < next.count; k++)
      push(c, &made, next.list[k].value, next.list[k].count);
  }
  if (!s->part_count || operand(e, s->part_count))
    return wrong(c, e, "a value of the sort");
  for (uint32_t k = 0; k < made.count; k++)
    push(c, to, made.list[k].value, made.list[k].count);
  return true;
}

/* numberof: [number] bag;  scalarproduct: number bag */
static bool add_times(colours *c, const xml_element *e, const colour_sort *s,
                      const colour_binding *b, int64_t times, colour_bag *to)
{
  const xml_element *x = operand(e, 0), *y = operand(e, 1);
  int64_t n = 1;
  if (x && y) {
    const char *digits = is(x, "numberconstant") ? xml_value(x, "value") : NULL;
    char *rest = NULL;
    n = digits ? strtoll(digits, &rest, 10) : -1;
    if (n < 0 || n > PNML_TOKENS_MAX || *rest)
      return wrong(c, x, "a number");
  }
  if (!x)
    return wrong(c, e, "an operand");
  if (!multiply(times, n, &n))
    return wrong(c, e, "a smaller number");
  return colour_add(c, y ? y : x, s, b, n, to);
}

/* The first operand, and the others added or taken away. */
static bool add_sum(colours *c, const xml_element *e, const colour_sort *s,
                    const colour_binding *b, int64_t times, colour_bag *to)
{
  int64_t others = is(e, "subtract") ? -times : times;
  for (uint32_t i = 0; operand(e, i); i++)
    if (!colour_add(c, operand(e, i), s, b, i ? others : times, to))
      return false;
  return true;
}

bool colour_add(colours *c, const xml_element *e, const colour_sort *s,
                const colour_binding *b, int64_t times, colour_bag *to)
{
  if (is(e, "variable"))
    return add_variable(c, e, s, b, times, to);
  if (is(e, "useroperator"))
    return add_operator(c, e, s, times, to);
  if (is(e, "dotconstant")) {
    push(c, to, 0, times);
    return (uint64_t)s->size * s->each == 1 ||
           wrong(c, e, "a value of the sort");
  }
  if (is(e, "finiteintrangeconstant"))
    return add_number(c, e, s, times, to);
  if (is(e, "successor") || is(e, "predecessor"))
    return add_neighbour(c, e, s, b, times, to);
  if (is(e, "partitionelementof"))
    return add_class(c, e, s, b, times, to);
  if (is(e, "tuple"))
    return add_tuple(c, e, s, b, times, to);
  if (is(e, "numberof") || is(e, "scalarproduct"))
    return add_times(c, e, s, b, times, to);
  if (is(e, "add") || is(e, "subtract"))
    return add_sum(c, e, s, b, times, to);
  if (is(e, "empty"))
    return true;
  if (!is(e, "all"))
    return wrong(c, e, "a term");
  if (!multiply(times, s->each, &times))
    return wrong(c, e, "fewer values");
  for (uint32_t i = 0; i < s->size; i++)
    push(c, to, i, times);
  return true;
}

/* ---- conditions ----------------------------------------------------------- */

static const char *const comparisons[] = {"equality",    "inequality",
                                          "lessthan",    "lessthanorequal",
                                          "greaterthan", "greaterthanorequal",
                                          "lt",          "leq",
                                          "gt",          "geq",
                                          "ltp",         "gtp"};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

static bool compare(uint32_t which, uint32_t a, uint32_t b)
{
  switch (which) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 2:
  case 6:
  case 10:
    return a < b;
  case 3:
  case 7:
    return a <= b;
  case 4:
  case 8:
  case 11:
    return a > b;
  default:
    return a >= b;
  }
}

/* A range of numbers in a condition says its own sort. */
static const colour_sort *sort_between(colours *c, const xml_element *x,
                                       const xml_element *y)
{
  const colour_sort *s = own_sort(c, x);
  if (!s)
    s = own_sort(c, y);
  if (!s && is(x, "finiteintrangeconstant") && x->children)
    s = colours_sort(c, x->children);
  return s;
}

static bool compared(colours *c, const xml_element *e, uint32_t which,
                     const colour_binding *b, bool *good)
{
  const xml_element *x = operand(e, 0), *y = operand(e, 1);
  const colour_sort *s = x && y ? sort_between(c, x, y) : NULL;
  colour_bag left = {0}, right = {0};
  if (!s) {
    *good = wrong(c, e, "a comparison of two values");
    return false;
  }
  if (!colour_add(c, x, s, b, 1, &left) || !colour_add(c, y, s, b, 1, &right)) {
    *good = false;
    return false;
  }
  if (left.count != 1 || right.count != 1) {
    *good = wrong(c, e, "a comparison of two values");
    return false;
  }
  return compare(which, left.list[0].value, right.list[0].value);
}

bool colour_holds(colours *c, const xml_element *e, const colour_binding *b,
                  bool *good)
{
  for (uint32_t i = 0; i < COMPARISONS; i++)
    if (is(e, comparisons[i]))
      return compared(c, e, i, b, good);
  if (is(e, "booleanconstant"))
    return xml_value(e, "value") && !strcmp(xml_value(e, "value"), "true");
  const xml_element *x = operand(e, 0), *y = operand(e, 1);
  if (x && is(e, "not"))
    return !colour_holds(c, x, b, good);
  if (x && y && is(e, "imply"))
    return !colour_holds(c, x, b, good) || colour_holds(c, y, b, good);
  bool all = is(e, "and");
  if (!x || (!all && !is(e, "or"))) {
    *good = wrong(c, e, "a condition");
    return false;
  }
  for (uint32_t i = 0; operand(e, i) && *good; i++)
    if (colour_holds(c, operand(e, i), b, good) != all)
      return !all;
  return all;
}
