/* Nested depth-first search, after Courcoubetis, Vardi, Wolper & Yannakakis
** (1992), as improved by Schwoon & Esparza, "A note on on-the-fly verification
** algorithms" (2005): states on the path of the first search are cyan, those
** it has left blue, those of the second search red.  A step of the first search
** to a cyan state closes a lasso at once when one end of it is accepting; the
** second search need not come back to the state it began with, any cyan state
** will do.
**
** The store has a state once for each of the colours blue and red.  Cyan is
** known from an index of the path, kept here: in an exact store a state is
** never found in it without having been put. */

#include "search/live.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

enum { SLOTS_AT_FIRST = 1024 };

static uint64_t slot_of(uint64_t hash, size_t frame)
{
  return (hash & UINT64_C(0xffffffff00000000)) | ((uint32_t)frame + 1);
}

static void put_slot(path_index *x, uint64_t hash, size_t frame)
{
  size_t at = hash & x->mask;
  while (x->slots[at])
    at = (at + 1) & x->mask;
  x->slots[at] = slot_of(hash, frame);
}

static void grow_index(live *l)
{
  path_index *x = &l->cyan;
  size_t old = x->slots ? x->mask + 1 : 0,
         slots = old ? 2 * old : SLOTS_AT_FIRST;
  uint64_t *grown = mem_alloc(slots * sizeof *grown);
  mem_free(x->slots, old * sizeof *grown);
  x->slots = grown;
  x->mask = slots - 1;
  for (size_t i = 0; i < x->count; i++)
    put_slot(x, l->frames.data[i].hash, i);
}

/* The top frame becomes cyan. */
static void add_cyan(live *l)
{
  path_index *x = &l->cyan;
  if (!x->slots || 2 * (x->count + 1) > x->mask)
    grow_index(l);
  put_slot(x, l->frames.data[x->count].hash, x->count);
  x->count++;
}

static void remove_cyan(live *l)
{
  path_index *x = &l->cyan;
  size_t frame = --x->count;
  size_t at = l->frames.data[frame].hash & x->mask;
  while ((uint32_t)x->slots[at] != frame + 1)
    at = (at + 1) & x->mask;
  x->slots[at] = 0;
}

/* The cyan frame with the same state, or SIZE_MAX. */
static size_t find_cyan(const live *l, const live_frame *f)
{
  const path_index *x = &l->cyan;
  for (size_t at = f->hash & x->mask; x->slots[at]; at = (at + 1) & x->mask) {
    size_t frame = (uint32_t)x->slots[at] - 1;
    const live_frame *other = l->frames.data + frame;
    if (x->slots[at] >> 32 == f->hash >> 32 && other->length == f->length &&
        !memcmp(live_key(l, other), live_key(l, f), live_key_length(l, f)))
      return frame;
  }
  return SIZE_MAX;
}

/* ---- the two searches -------------------------------------------------- */

static bool push_blue(live *l, const live_frame *f)
{
  bool fresh;
  if (!live_store(l, f, 0, &fresh, NULL))
    return false;
  if (!fresh)
    return true;
  l->result.stats.states++;
  if (!live_push(l, f))
    return false;
  live_frame *top = &vec_last(&l->frames);
  top->accepting =
      product_accepts(&l->product, l->bytes.base + top->start, top->length);
  add_cyan(l);
  return true;
}

static bool push_red(live *l, const live_frame *f)
{
  bool fresh;
  if (!live_store(l, f, 1, &fresh, NULL))
    return false;
  return !fresh || live_push(l, f);
}

static bool take_edge(live *l, const live_edge *e)
{
  live_frame next;
  bool red = l->seed != SIZE_MAX;
  if (!live_compose(l, e, &next))
    return false;
  size_t back = find_cyan(l, &next);
  if (back == SIZE_MAX)
    return red ? push_red(l, &next) : push_blue(l, &next);
  if (!red && !vec_last(&l->frames).accepting &&
      !l->frames.data[back].accepting)
    return true;
  live_found(l, &e->edge, back);
  return false;
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  size_t top = l->frames.len - 1;
  bool fresh, red = l->seed != SIZE_MAX;
  if (!red && l->frames.data[top].accepting) {
    l->seed = top;
    l->frames.data[top].next_edge = l->frames.data[top].first_edge;
    return live_store(l, l->frames.data + top, 1, &fresh, NULL);
  }
  if (l->seed == top)
    l->seed = SIZE_MAX;
  if (top < l->cyan.count)
    remove_cyan(l);
  live_pop(l);
  return true;
}

void live_nested(live *l)
{
  live_frame first;
  l->seed = SIZE_MAX;
  if (!live_initial(l, &first) || !push_blue(l, &first))
    return;
  while (l->frames.len) {
    live_frame *top = &vec_last(&l->frames);
    if (top->next_edge < l->edges.len) {
      live_edge e = l->edges.data[top->next_edge++];
      if (!take_edge(l, &e))
        return;
    } else if (!leave(l)) {
      return;
    }
  }
}
