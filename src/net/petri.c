#include "net/petri.h"

#include <string.h>

/* By counting.  While arcs are put into their places, 'first_use[p + 1]' is where
** the next one of p goes; in the end that is where those of p + 1 begin. */
static void index_places(petri *n, arena *a)
{
  uint32_t arcs = n->first[n->transition_count];
  n->uses = ARENA_ARRAY(a, petri_use, arcs + 1);
  n->first_use = ARENA_ARRAY(a, uint32_t, n->place_count + 2);
  for (uint32_t i = 0; i < arcs; i++)
    n->first_use[n->arcs[i].place + 2]++;
  for (uint32_t p = 2; p < n->place_count + 2; p++)
    n->first_use[p] += n->first_use[p - 1];
  for (uint32_t t = 0; t < n->transition_count; t++)
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      n->uses[n->first_use[n->arcs[i].place + 1]++] = (petri_use){t, i};
}

petri *petri_make(arena *a, uint32_t places, const int32_t *tokens,
                  uint32_t transitions, const petri_arc *arcs,
                  const uint32_t *first)
{
  petri *n = ARENA_NEW(a, petri);
  uint32_t count = first[transitions];
  n->place_count = places;
  n->transition_count = transitions;
  n->tokens = ARENA_ARRAY(a, int32_t, places + 1);
  n->arcs = ARENA_ARRAY(a, petri_arc, count + 1);
  n->first = ARENA_ARRAY(a, uint32_t, transitions + 1);
  memcpy(n->tokens, tokens, places * sizeof *tokens);
  if (count)
    memcpy(n->arcs, arcs, count * sizeof *arcs);
  memcpy(n->first, first, (transitions + 1) * sizeof *first);
  for (uint32_t i = 0; i < count; i++)
    n->inhibited |= arcs[i].below != 0;
  index_places(n, a);
  return n;
}

bool petri_enabled(const petri *n, uint32_t t, const int32_t *marking)
{
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    const petri_arc *a = &n->arcs[i];
    if (marking[a->place] < a->take ||
        (a->below && marking[a->place] >= a->below))
      return false;
  }
  return true;
}

bool petri_fire(const petri *n, uint32_t t, int32_t *marking)
{
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    const petri_arc *a = &n->arcs[i];
    if (marking[a->place] - a->take > PETRI_TOKENS_MAX - a->put)
      return false;
  }
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    marking[n->arcs[i].place] += petri_effect(&n->arcs[i]);
  return true;
}

bool petri_replay(const petri *n, const uint32_t *path, size_t length,
                  int32_t *marking)
{
  memcpy(marking, n->tokens, n->place_count * sizeof *marking);
  for (size_t i = 0; i < length; i++)
    if (!petri_enabled(n, path[i], marking) || !petri_fire(n, path[i], marking))
      return false;
  return true;
}

bool petri_is_dead(const petri *n, const int32_t *marking)
{
  for (uint32_t t = 0; t < n->transition_count; t++)
    if (petri_enabled(n, t, marking))
      return false;
  return true;
}
