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

#include "search/liveness/live.h"

#include <string.h>

/* ---- the path ---------------------------------------------------------- */

/* The top frame becomes cyan. */
static void add_cyan(live *l)
{
  path_index *x = &l->cyan;
  size_t before = x->count;
  if (path_index_make_room(x))
    for (size_t i = 0; i < before; i++)
      path_index_put(x, l->frames.data[i].hash, i);
  path_index_put(x, l->frames.data[before].hash, before);
}

static void remove_cyan(live *l)
{
  size_t frame = l->cyan.count - 1;
  path_index_remove(&l->cyan, l->frames.data[frame].hash, frame);
}

/* The cyan frame with the same state, or SIZE_MAX. */
static size_t find_cyan(const live *l, const live_frame *f)
{
  uint64_t at = f->hash;
  size_t frame;
  while ((frame = path_index_next(&l->cyan, f->hash, &at)) != SIZE_MAX) {
    const live_frame *other = l->frames.data + frame;
    if (other->length == f->length &&
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
  if (!live_is_near(l, &next))
    return true;
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
  live_walk(l, take_edge, leave);
}
