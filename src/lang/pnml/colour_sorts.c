/* Declarations of coloured nets.
**
**   <declaration><structure><declarations>
**     <namedsort id="Phil" name="Phil"> SORT </namedsort>
**     <partition id="P" name="P"> SORT
**       <partitionelement id="e1" name="e1"> <useroperator declaration=".."/>..
**     <variabledecl id="x" name="x"> SORT </variabledecl>
**
** SORT: dot, finiteenumeration, cyclicenumeration, finiteintrange, productsort,
** bool, usersort.  Successor and predecessor go round in all of them. */

#include "lang/pnml/colours.h"

#include <stdlib.h>
#include <string.h>

static bool is(const xml_element *e, const char *name)
{
  return !strcmp(e->name, name);
}

static uint32_t children_called(const xml_element *e, const char *name)
{
  uint32_t n = 0;
  for (const xml_element *c = e->children; c; c = c->next)
    n += is(c, name);
  return n;
}

static colour_sort *add_sort(colours *c, const char *id)
{
  colour_sort *s = ARENA_NEW(c->arena, colour_sort), **at = &c->sorts;
  s->id = id;
  s->each = 1;
  while (*at)
    at = &(*at)->next;
  *at = s;
  return s;
}

static const colour_sort *named_sort(const colours *c, const char *id)
{
  for (const colour_sort *s = c->sorts; s; s = s->next)
    if (id && s->id == id)
      return s;
  return NULL;
}

/* ---- sorts --------------------------------------------------------------- */

static bool read_enumeration(colours *c, const xml_element *e, colour_sort *s)
{
  s->size = children_called(e, "feconstant");
  s->constants = ARENA_ARRAY(c->arena, const char *, s->size + 1);
  uint32_t n = 0;
  for (const xml_element *x = e->children; x; x = x->next)
    if (is(x, "feconstant") && !(s->constants[n++] = xml_value(x, "id"))) {
      diag_error(c->diags, x->where, "<feconstant> has no id");
      return false;
    }
  return true;
}

static bool read_range(colours *c, const xml_element *e, colour_sort *s)
{
  const char *from = xml_value(e, "start"), *to = xml_value(e, "end");
  char *rest = NULL, *rest_of_end = NULL;
  long long first = from ? strtoll(from, &rest, 10) : 0;
  long long last = to ? strtoll(to, &rest_of_end, 10) : 0;
  if (!from || !to || *rest || *rest_of_end || last < first ||
      first < -PNML_TOKENS_MAX || last > PNML_TOKENS_MAX ||
      last - first >= COLOUR_VALUES_MAX) {
    diag_error(c->diags, e->where,
               "a range needs a start and an end that is not before it, and at "
               "most %d numbers",
               COLOUR_VALUES_MAX);
    return false;
  }
  s->start = first;
  s->size = (uint32_t)(last - first + 1);
  return true;
}

static bool read_product(colours *c, const xml_element *e, colour_sort *s)
{
  uint64_t size = 1;
  for (const xml_element *x = e->children; x; x = x->next)
    s->part_count++;
  s->parts = ARENA_ARRAY(c->arena, const colour_sort *, s->part_count + 1);
  uint32_t n = 0;
  for (const xml_element *x = e->children; x; x = x->next) {
    const colour_sort *part = colours_sort(c, x);
    if (!part)
      return false;
    s->parts[n++] = part;
    size *= part->size;
    if (size > COLOUR_VALUES_MAX) {
      size = COLOUR_VALUES_MAX + 1;
      if (!c->wide)
        c->wide = e;
    }
  }
  s->size = (uint32_t)size;
  return true;
}

static bool fill_sort(colours *c, const xml_element *e, colour_sort *s)
{
  static const char *truths[] = {"false", "true"};
  if (is(e, "dot")) {
    s->size = 1;
    if (!c->dot)
      c->dot = s;
    return true;
  }
  if (is(e, "bool")) {
    s->size = 2;
    s->constants = truths;
    return true;
  }
  if (is(e, "finiteenumeration") || is(e, "cyclicenumeration"))
    return read_enumeration(c, e, s);
  if (is(e, "finiteintrange"))
    return read_range(c, e, s);
  if (is(e, "productsort"))
    return read_product(c, e, s);
  diag_error(c->diags, e->where, "<%s> is not a sort that is supported",
             e->name);
  return false;
}

const colour_sort *colours_sort(colours *c, const xml_element *e)
{
  if (!is(e, "usersort")) {
    if (is(e, "dot") && c->dot)
      return c->dot;
    colour_sort *s = add_sort(c, NULL);
    return fill_sort(c, e, s) ? s : NULL;
  }
  const char *id = xml_value(e, "declaration");
  const colour_sort *s = named_sort(c, id);
  if (!s && id && !strcmp(id, "dot") && c->dot)
    return c->dot;
  if (!s)
    diag_error(c->diags, e->where, "there is no sort '%s'", id ? id : "");
  return s;
}

/* ---- partitions ----------------------------------------------------------- */

static bool read_element(colours *c, const xml_element *e, colour_sort *s,
                         uint32_t number)
{
  s->constants[number] = xml_value(e, "id");
  for (const xml_element *x = e->children; x; x = x->next) {
    const char *id = xml_value(x, "declaration");
    int64_t value = id ? colour_constant(s->of, id) : -1;
    if (value < 0 || !s->constants[number]) {
      diag_error(c->diags, x->where,
                 "an element of a partition has an id and constants of its "
                 "sort");
      return false;
    }
    s->class_of[value] = number;
  }
  return true;
}

static void read_partition(colours *c, const xml_element *e)
{
  colour_sort *s = add_sort(c, xml_value(e, "id"));
  uint32_t n = 0;
  if (!e->children || !(s->of = colours_sort(c, e->children)))
    return;
  s->size = children_called(e, "partitionelement");
  s->constants = ARENA_ARRAY(c->arena, const char *, s->size + 1);
  s->class_of = ARENA_ARRAY(c->arena, uint32_t, s->of->size + 1);
  for (uint32_t i = 0; i < s->of->size; i++)
    s->class_of[i] = UINT32_MAX;
  for (const xml_element *x = e->children->next; x; x = x->next)
    if (is(x, "partitionelement") && !read_element(c, x, s, n++))
      return;
  for (uint32_t i = 0; i < s->of->size; i++)
    if (s->class_of[i] == UINT32_MAX) {
      diag_error(c->diags, e->where,
                 "a value of its sort is in no element of the partition");
      return;
    }
}

/* ---- declarations --------------------------------------------------------- */

static void read_variable(colours *c, const xml_element *e)
{
  colour_variable *v = ARENA_NEW(c->arena, colour_variable);
  const char *name = xml_value(e, "name");
  v->id = xml_value(e, "id");
  v->name = name && *name ? name : v->id;
  v->sort = e->children ? colours_sort(c, e->children) : NULL;
  if (!v->id || !v->sort) {
    diag_error(c->diags, e->where, "a variable needs an id and a sort");
    return;
  }
  v->next = c->variables;
  c->variables = v;
}

static void read_declarations(colours *c, const xml_element *list)
{
  for (const xml_element *e = list->children; e && !diags_full(c->diags);
       e = e->next)
    if (is(e, "namedsort")) {
      colour_sort *s = add_sort(c, xml_value(e, "id"));
      if (!e->children)
        diag_error(c->diags, e->where, "<namedsort> is empty");
      else if (is(e->children, "usersort")) { /* another name */
        const colour_sort *other = colours_sort(c, e->children);
        colour_sort *next = s->next;
        const char *id = s->id;
        if (other)
          *s = *other, s->id = id, s->next = next;
      } else
        fill_sort(c, e->children, s);
    } else if (is(e, "partition")) {
      read_partition(c, e);
    } else if (is(e, "variabledecl")) {
      read_variable(c, e);
    } else {
      diag_error(c->diags, e->where, "<%s> is not supported", e->name);
    }
}

static void declare_page(colours *c, const xml_element *page)
{
  for (const xml_element *e = page->children; e; e = e->next) {
    const xml_element *structure =
        is(e, "declaration") ? xml_child(e, "structure") : NULL;
    const xml_element *list =
        structure ? xml_child(structure, "declarations") : NULL;
    if (list)
      read_declarations(c, list);
    if (is(e, "page"))
      declare_page(c, e);
  }
}

void colours_declare(colours *c, const xml_element *net)
{
  declare_page(c, net);
  if (c->dot)
    return;
  colour_sort *dot = add_sort(c, NULL);
  dot->size = 1;
  c->dot = dot;
}

const colour_variable *colours_variable(const colours *c, const char *id)
{
  for (const colour_variable *v = c->variables; v; v = v->next)
    if (v->id == id)
      return v;
  return NULL;
}

/* A sort that is wrong, or not read to its end, has constants that are NULL. */
int64_t colour_constant(const colour_sort *s, const char *id)
{
  for (uint32_t i = 0; s->constants && i < s->size * s->each; i++)
    if (s->constants[i] && !strcmp(s->constants[i], id))
      return i / s->each;
  return -1;
}

const char *colour_text(colours *c, const colour_sort *s, uint32_t value)
{
  if (!s->parts && s->each > 1)
    return "*";
  if (s->constants)
    return s->constants[value];
  if (!s->parts)
    return s->size == 1 && s == c->dot
               ? ""
               : arena_printf(c->arena, "%lld",
                              (long long)(s->start + (int64_t)value));
  const char *made = "";
  for (uint32_t i = s->part_count; i-- > 0;) {
    const char *part = colour_text(c, s->parts[i], value % s->parts[i]->size);
    made =
        arena_printf(c->arena, "%s%s%s", part, *made && *part ? "." : "", made);
    value /= s->parts[i]->size;
  }
  return made;
}
