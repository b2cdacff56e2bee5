/* Bits of elements as variables, more of them when values need more. */

#include "store/diagram/set_obdd.h"

#include "base/alloc.h"
#include "dd/robdd/robdd.h"

#include <string.h>

enum {
  MOST_WIDTH = 32,
  LEAST_NODES = 1 << 12 /* of garbage that are not worth a collection */
};

/* The variables of an element of the tuple, lowest bit first.  Those from
** 'width' on were made when memory ran out before they could be used. */
typedef struct obdd_element {
  uint8_t width, made;
  uint16_t variables[MOST_WIDTH];
} obdd_element;

typedef struct obdd {
  robdd_manager *m;
  /* By length: the functions of the tuples; and once more, those that widening
  ** an element makes.  All of them are protected by the manager. */
  robdd *roots;
  uint32_t lengths;
  obdd_element *elements;
  uint32_t element_room;
  uint8_t *values; /* by variable: those of a tuple */
  uint32_t value_room;
  uint64_t count;
} obdd;

static void obdd_destroy(set *base)
{
  obdd *o = (obdd *)base;
  if (!o)
    return;
  robdd_destroy(o->m);
  mem_free(o->roots, 2 * (size_t)o->lengths * sizeof *o->roots);
  mem_free(o->elements, o->element_room * sizeof *o->elements);
  mem_free(o->values, o->value_room);
  mem_free(o, sizeof *o);
}

static set *obdd_create(const set_settings *settings)
{
  obdd *o = mem_try_alloc(sizeof *o);
  if (o && !(o->m = robdd_create(0, settings->max_bytes))) {
    mem_free(o, sizeof *o);
    o = NULL;
  }
  if (o)
    robdd_set_least_garbage(o->m, LEAST_NODES);
  return (set *)o;
}

/* ---- room for longer tuples --------------------------------------------- */

static bool grow_roots(obdd *o, uint32_t lengths)
{
  size_t bytes = mem_product(2 * (size_t)lengths, sizeof *o->roots);
  robdd *roots = mem_try_alloc(bytes); /* all ROBDD_FALSE */
  if (!roots)
    return false;
  if (o->lengths)
    memcpy(roots, o->roots, o->lengths * sizeof *roots);
  if (!robdd_protect(o->m, roots, 2 * (size_t)lengths)) {
    mem_free(roots, bytes);
    return false;
  }
  if (o->roots)
    robdd_unprotect(o->m, o->roots);
  mem_free(o->roots, 2 * (size_t)o->lengths * sizeof *o->roots);
  o->roots = roots;
  o->lengths = lengths;
  return true;
}

static bool reach(obdd *o, uint32_t length)
{
  if (length >= o->lengths && !grow_roots(o, length + length / 2 + 8))
    return false;
  if (length <= o->element_room)
    return true;
  size_t size = sizeof *o->elements, room = length + (size_t)length / 2 + 8;
  obdd_element *grown = mem_try_resize(o->elements, o->element_room * size,
                                       mem_product(room, size));
  if (!grown)
    return false;
  memset(grown + o->element_room, 0, (room - o->element_room) * size);
  o->elements = grown;
  o->element_room = (uint32_t)room;
  return true;
}

/* ---- wider elements ----------------------------------------------------- */

/* The level where the next variable of an element belongs: above all others
** of it, below those of the elements before. */
static uint32_t level_for(const obdd *o, uint32_t element)
{
  for (uint32_t e = element + 1; e--;) {
    const obdd_element *x = &o->elements[e];
    if (!x->made)
      continue;
    /* The highest bit is the first of an element, the lowest the last. */
    uint32_t at = robdd_level_of(o->m, x->variables[x->made - 1]);
    return e == element ? at : at + x->made;
  }
  return 0;
}

static bool make_variable(obdd *o, uint32_t element)
{
  obdd_element *x = &o->elements[element];
  uint32_t variable = robdd_variables(o->m);
  if (variable == o->value_room) {
    uint32_t room = 2 * o->value_room + 64;
    uint8_t *grown = mem_try_resize(o->values, o->value_room, room);
    if (!grown)
      return false;
    memset(grown + o->value_room, ROBDD_ANY, room - o->value_room);
    o->values = grown;
    o->value_room = room;
  }
  if (!robdd_insert_variable(o->m, level_for(o, element)))
    return false;
  x->variables[x->made++] = (uint16_t)variable;
  return true;
}

/* One bit more for an element: it is 0 in all tuples so far that have the
** element.  All functions are made before the first is used. */
static bool widen(obdd *o, uint32_t element)
{
  obdd_element *x = &o->elements[element];
  if (x->made == x->width && !make_variable(o, element))
    return false;
  robdd *fresh = o->roots + o->lengths;
  uint32_t variable = x->variables[x->width];
  bool good = true;
  for (uint32_t n = element + 1; n < o->lengths && good; n++) {
    robdd bit = robdd_variable(o->m, variable);
    fresh[n] = robdd_and(o->m, o->roots[n], robdd_not(bit));
    good = fresh[n] != ROBDD_FULL;
  }
  for (uint32_t n = element + 1; n < o->lengths; n++) {
    if (good)
      o->roots[n] = fresh[n];
    fresh[n] = ROBDD_FALSE;
  }
  x->width += good;
  robdd_trim(o->m);
  return good;
}

static bool is_too_wide(const obdd_element *x, uint32_t value)
{
  return x->width < MOST_WIDTH && value >> x->width;
}

static bool fit(obdd *o, const uint32_t *tuple, uint32_t length)
{
  if (!reach(o, length))
    return false;
  for (uint32_t i = 0; i < length; i++)
    while (is_too_wide(&o->elements[i], tuple[i]))
      if (!widen(o, i))
        return false;
  return true;
}

/* ---- tuples ------------------------------------------------------------- */

/* Sets the variables of an element to the bits of a value. */
static void put_bits(obdd *o, const obdd_element *x, uint32_t value)
{
  for (unsigned b = 0; b < x->width; b++)
    o->values[x->variables[b]] = value >> b & 1;
}

static store_result obdd_insert(set *base, const uint32_t *tuple,
                                uint32_t length)
{
  obdd *o = (obdd *)base;
  if (!fit(o, tuple, length))
    return STORE_FULL;
  for (uint32_t i = 0; i < length; i++)
    put_bits(o, &o->elements[i], tuple[i]);
  robdd *root = &o->roots[length];
  if (robdd_value(o->m, *root, o->values))
    return STORE_SEEN;
  /* Variables of elements that the tuple does not have are none of it. */
  for (uint32_t e = length; e < o->element_room; e++)
    for (unsigned b = 0; b < o->elements[e].width; b++)
      o->values[o->elements[e].variables[b]] = ROBDD_ANY;
  robdd more = robdd_add_assignment(o->m, *root, o->values);
  if (more == ROBDD_FULL)
    return STORE_FULL;
  *root = more;
  o->count++;
  return STORE_NEW;
}

/* ---- figures, check, pictures ------------------------------------------- */

static uint64_t obdd_count(const set *base)
{
  return ((const obdd *)base)->count;
}

static size_t obdd_bytes(const set *base)
{
  const obdd *o = (const obdd *)base;
  return sizeof *o + robdd_figures(o->m).bytes +
         2 * (size_t)o->lengths * sizeof *o->roots +
         o->element_room * sizeof *o->elements + o->value_room;
}

static uint64_t obdd_nodes(const set *base)
{
  const obdd *o = (const obdd *)base;
  size_t nodes = robdd_size(o->m, o->roots, o->lengths);
  return nodes == SIZE_MAX ? robdd_figures(o->m).nodes : nodes;
}

/* Adds the tuples of a length.  False: no memory, or too many. */
static bool count_tuples(const obdd *o, uint32_t length, uint64_t *count)
{
  uint32_t variables = 0;
  for (uint32_t e = 0; e < length; e++)
    variables += o->elements[e].width;
  bignum n = {0};
  uint64_t small = 0;
  bool good = robdd_count(o->m, o->roots[length], variables, &n) &&
              bignum_to_u64(&n, &small);
  bignum_free(&n);
  *count += small;
  return good;
}

/* The variables of all elements stand in order, highest bits first. */
static bool order_is_good(const obdd *o)
{
  uint32_t level = 0;
  for (uint32_t e = 0; e < o->element_room; e++)
    for (unsigned b = o->elements[e].made; b--; level++)
      if (robdd_level_of(o->m, o->elements[e].variables[b]) != level)
        return false;
  return level == robdd_variables(o->m);
}

static bool obdd_check(const set *base)
{
  const obdd *o = (const obdd *)base;
  uint64_t there = 0;
  for (uint32_t n = 0; n < o->lengths; n++)
    if (o->roots[n] != ROBDD_FALSE && !count_tuples(o, n, &there))
      return false;
  return there == o->count && order_is_good(o) && !robdd_check(o->m);
}

/* "LEVEL.BIT" for each variable, one behind the other in 'names'. */
static void name_variables(const obdd *o, const diagram_labels *labels,
                           const char **variables, text *names)
{
  for (int pass = 0; pass < 2; pass++) { /* the text moves while it grows */
    size_t at = 0;
    for (uint32_t e = 0; e < o->element_room; e++)
      for (unsigned b = 0; b < o->elements[e].made; b++) {
        if (pass) {
          variables[o->elements[e].variables[b]] = names->data + at;
          at += strlen(names->data + at) + 1;
          continue;
        }
        labels->level(labels->context, e, names);
        text_printf(names, ".%u", b);
        text_add_bytes(names, "", 1);
      }
  }
}

static void obdd_draw(const set *base, const diagram_labels *labels, text *dot)
{
  const obdd *o = (const obdd *)base;
  size_t bytes = robdd_variables(o->m) * sizeof(char *);
  const char **variables = labels && bytes ? mem_alloc(bytes) : NULL;
  text names = {0};
  if (variables)
    name_variables(o, labels, variables, &names);
  robdd_dot(o->m, o->roots, NULL, o->lengths, variables, dot);
  text_free(&names);
  mem_free(variables, variables ? bytes : 0);
}

const set_class set_obdd = {
    .name = "obdd",
    .summary = "binary decision diagram of the tuples' bits",
    .exact = true,
    .shares = true,
    .create = obdd_create,
    .insert = obdd_insert,
    .count = obdd_count,
    .bytes = obdd_bytes,
    .nodes = obdd_nodes,
    .check = obdd_check,
    .draw = obdd_draw,
    .destroy = obdd_destroy,
};
