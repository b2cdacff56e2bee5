#include "net/lasting.h"

#include "base/vec.h"
#include <string.h>

static bool has_all(const petri *n, uint32_t t, const int32_t *marking,
                    const bool *grows)
{
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    const petri_arc *x = &n->arcs[i];
    if (x->below < 0 || (x->take > marking[x->place] && !grows[x->place]))
      return false;
  }
  return true;
}

void lasting_may_fire(arena *a, const petri *n, const int32_t *marking,
                      bool *may)
{
  bool *grows = ARENA_ARRAY(a, bool, n->place_count + 1);
  uint32_t *list = ARENA_ARRAY(a, uint32_t, n->transition_count + 1);
  uint32_t count = 0;
  memset(may, 0, n->transition_count * sizeof *may);
  for (uint32_t t = 0; t < n->transition_count; t++)
    if (has_all(n, t, marking, grows)) {
      may[t] = true;
      list[count++] = t;
    }
  for (uint32_t next = 0; next < count; next++)
    for (uint32_t i = n->first[list[next]]; i < n->first[list[next] + 1]; i++) {
      uint32_t p = n->arcs[i].place;
      if (petri_effect(&n->arcs[i]) <= 0 || grows[p])
        continue;
      grows[p] = true;
      for (uint32_t k = n->first_use[p]; k < n->first_use[p + 1]; k++) {
        uint32_t t = n->uses[k].transition;
        if (!may[t] && has_all(n, t, marking, grows)) {
          may[t] = true;
          list[count++] = t;
        }
      }
    }
}
