/* Nested units (NUPN): which places belong together.
**
**   <toolspecific tool="nupn" version="1.1">
**     <structure units="3" root="u0" safe="true">
**       <unit id="u0"><places/><subunits>u1 u2</subunits></unit> ...
**
** At most one place of a unit, and none together with one of its subunits, is
** marked when the net is unit-safe, so it has no more than one token: a bit is
** enough for each place.  The claim is checked while the states are explored;
** see 'pnml_widen'.  Places of a unit also get ranks side by side, because
** they change together: that is what stores share best. */

#include "lang/pnml/pnml_net.h"

#include <ctype.h>
#include <string.h>

typedef struct units {
  pnml_net *net;
  names *names;
  diags *diags;
  bool *seen; /* by place */
  uint32_t ranks;
} units;

/* The next word of '*at', interned; NULL at the end. */
static const char *next_word(names *n, const char **at)
{
  while (isspace((unsigned char)**at))
    ++*at;
  const char *start = *at;
  while (**at && !isspace((unsigned char)**at))
    ++*at;
  return *at > start ? name_intern(n, start, (size_t)(*at - start)) : NULL;
}

static bool add_places(units *u, const xml_element *places)
{
  const char *at = places->text, *id;
  while ((id = next_word(u->names, &at))) {
    const pnml_node *node = pnml_find(u->net, id);
    if (!node || node->kind != PNML_PLACE) {
      diag_warn(u->diags, places->text_where,
                "the unit has '%s', which is no place; units are not used", id);
      return false;
    }
    if (u->seen[node->index]) {
      diag_warn(u->diags, places->text_where,
                "place '%s' is in two units; units are not used", id);
      return false;
    }
    u->seen[node->index] = true;
    u->net->ranked[u->ranks++] = node->index;
  }
  return true;
}

/* Without the units: every place at the rank of the file. */
static void forget(units *u)
{
  for (uint32_t i = 0; i < u->net->place_count; i++)
    u->net->ranked[i] = i;
}

void pnml_read_units(pnml_net *net, arena *a, names *n, diags *d,
                     const xml_element *tool)
{
  const xml_element *structure = xml_child(tool, "structure");
  if (!structure)
    return;
  units u = {net, n, d, ARENA_ARRAY(a, bool, net->place_count + 1), 0};
  for (const xml_element *e = structure->children; e; e = e->next) {
    const xml_element *places = xml_child(e, "places");
    if (!strcmp(e->name, "unit") && places && !add_places(&u, places)) {
      forget(&u);
      return;
    }
  }
  const char *safe = xml_value(structure, "safe");
  net->safe = safe && !strcmp(safe, "true");
  for (uint32_t i = 0; i < net->place_count; i++) {
    if (!u.seen[i])
      net->ranked[u.ranks++] = i;
    else if (net->safe)
      net->places[i].safe = true;
  }
  for (uint32_t i = 0; i < net->place_count; i++)
    net->places[net->ranked[i]].rank = i;
}
