/* Sorts whose values behave alike: a net that is too large with them is unfolded
** without telling them apart.
**
** A sort is such when no step depends on which of its values a token has:
**
**   no condition mentions it, and nothing is a partition of it;
**   no transition takes tokens of a value that is named, or of all values;
**   what a transition takes has each variable of it once, with one token.
**
** Then forgetting these values is a bisimulation.  If a transition can fire, it
** can without them.  The other way, for each token that is to be taken some
** token is there, whatever its value; its variable gets this value, and no two
** tokens have to agree.  What is put has the same sums either way.  So formulas
** about sums of tokens and about who can fire are true in both nets or in none;
** the numbers of markings and of steps are others. */

#include "lang/pnml/colours.h"

#include <string.h>

static bool is(const xml_element *e, const char *name)
{
  return !strcmp(e->name, name);
}

static bool is_single(const colour_sort *s)
{
  return !s->parts && !s->of;
}

/* Its values are told apart, and those of its parts. */
static void tell(colours *c, const colour_sort *s)
{
  for (colour_sort *x = c->sorts; x; x = x->next)
    if (x == s)
      x->told = true;
  for (uint32_t i = 0; s->parts && i < s->part_count; i++)
    tell(c, s->parts[i]);
  if (s->of)
    tell(c, s->of);
}

void colours_use(colours *c, const colour_sort *s)
{
  for (colour_sort *x = c->sorts; x; x = x->next)
    if (x == s)
      x->used = true;
  for (uint32_t i = 0; s->parts && i < s->part_count; i++)
    colours_use(c, s->parts[i]);
}

/* ---- conditions ----------------------------------------------------------- */

/* Sorts with a value of this name. */
static void tell_constant(colours *c, const char *id)
{
  for (colour_sort *s = c->sorts; s; s = s->next)
    if (!id || colour_constant(s, id) >= 0)
      tell(c, s);
}

void colours_tell_condition(colours *c, const xml_element *e)
{
  const colour_variable *v =
      is(e, "variable") ? colours_variable(c, xml_value(e, "refvariable"))
                        : NULL;
  if (v)
    tell(c, v->sort);
  if (is(e, "useroperator"))
    tell_constant(c, xml_value(e, "declaration"));
  for (colour_sort *s = c->sorts; s && is(e, "finiteintrangeconstant");
       s = s->next)
    if (is_single(s) && !s->constants)
      s->told = true;
  for (const xml_element *x = e->children; x; x = x->next)
    colours_tell_condition(c, x);
}

/* ---- arcs ----------------------------------------------------------------- */

static void tell_variable(colours *c, const xml_element *e,
                          const colour_sort *s, colour_binding *taken)
{
  const colour_variable *v = colours_variable(c, xml_value(e, "refvariable"));
  if (!v)
    return;
  if (v->sort != s) { /* another name of the same values */
    tell(c, v->sort);
    tell(c, s);
  }
  if (binding_index(taken, v) < taken->count)
    tell(c, s);
  else
    taken->variables[taken->count++] = v;
}

static const xml_element *next_operand(const xml_element *s)
{
  while (s && !is(s, "subterm"))
    s = s->next;
  return s;
}

static bool is_once(const xml_element *number)
{
  const char *digits = xml_value(number, "value");
  return is(number, "numberconstant") && digits && !strcmp(digits, "1");
}

void colours_tell_taken(colours *c, const xml_element *e, const colour_sort *s,
                        colour_binding *taken)
{
  if (is(e, "variable")) {
    tell_variable(c, e, s, taken);
    return;
  }
  bool tuple = is(e, "tuple") && s->parts;
  bool times = is(e, "numberof") || is(e, "scalarproduct");
  if (!tuple && !times && !is(e, "add"))
    tell(c, s); /* a value, all of them, a difference */
  uint32_t i = 0;
  for (const xml_element *x = next_operand(e->children); x;
       x = next_operand(x->next), i++) {
    const xml_element *t = x->children;
    bool last = !next_operand(x->next);
    if (!t || (tuple && i >= s->part_count))
      continue;
    if (times && !last) {
      if (!is_once(t))
        tell(c, s);
    } else {
      colours_tell_taken(c, t, tuple ? s->parts[i] : s, taken);
    }
  }
}

/* ---- merging -------------------------------------------------------------- */

static bool is_alike(const colour_sort *s)
{
  return is_single(s) && s->size > 1 && s->used && !s->told;
}

bool colours_can_merge(colours *c)
{
  for (colour_sort *s = c->sorts; s; s = s->next)
    if (s->of)
      tell(c, s->of);
  for (const colour_sort *s = c->sorts; s; s = s->next)
    if (is_alike(s))
      return true;
  return false;
}

/* A product of numbers that are not above a limit; one more: it is. */
static uint32_t times(uint64_t a, uint64_t b, uint32_t most)
{
  return a * b > most ? most + 1 : (uint32_t)(a * b);
}

/* Parts of a product stand before it in the list. */
static void size_product(colour_sort *s)
{
  s->size = s->each = 1;
  for (uint32_t i = 0; i < s->part_count; i++) {
    s->size = times(s->size, s->parts[i]->size, COLOUR_VALUES_MAX);
    s->each = times(s->each, s->parts[i]->each, PNML_TOKENS_MAX);
  }
}

const char *colours_merge(colours *c)
{
  const char *merged = "";
  bool wide = false;
  for (colour_sort *s = c->sorts; s; s = s->next) {
    if (is_alike(s)) {
      s->each = s->size;
      s->size = 1;
      merged = arena_printf(c->arena, "%s%s'%s'", merged, *merged ? ", " : "",
                            s->id ? s->id : "");
    } else if (s->parts) {
      size_product(s);
      wide |= s->size > COLOUR_VALUES_MAX;
    }
  }
  if (!wide)
    c->wide = NULL;
  return merged;
}
