#include "report/reachable_locations.h"

typedef struct flow_marks {
  bool *marked;    /* by location */
  uint32_t *first; /* by location: of its edges in process_type.order */
  uint32_t *left;  /* locations whose edges are to be followed */
  size_t count;
} flow_marks;

static void mark(flow_marks *f, uint32_t at)
{
  if (f->marked[at])
    return;
  f->marked[at] = true;
  f->left[f->count++] = at;
}

const bool *reachable_locations(const process_type *p, arena *a)
{
  size_t n = p->locations.len;
  flow_marks f = {ARENA_ARRAY(a, bool, n), ARENA_ARRAY(a, uint32_t, n + 1),
                  ARENA_ARRAY(a, uint32_t, n), 0};
  for (size_t i = 0; i < p->order.len; i++)
    f.first[p->order.data[i]->source + 1]++;
  for (size_t i = 0; i < n; i++)
    f.first[i + 1] += f.first[i];
  for (mark(&f, p->start); f.count > 0;) {
    uint32_t at = f.left[--f.count];
    for (uint32_t i = f.first[at]; i < f.first[at + 1]; i++) {
      const edge *e = p->order.data[i];
      mark(&f, e->target);
      if (e->flags & EDGE_DSTEP)
        mark(&f, e->block);
    }
  }
  return f.marked;
}

bool ends_process(const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return false;
}
