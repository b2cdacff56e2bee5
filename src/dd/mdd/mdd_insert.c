/* One tuple at a time.  Both ways walk down along the tuple to the first node
** without an arc for it, then come up again; below that node a chain of new
** or shared nodes completes the tuple.
**
** mdd_insert copies every node on the way.  mdd_add (after Gregoire and
** Zampunieris' canonical insertion into sharing trees) changes a node in place
** when nobody else refers to it, and ends as soon as a node has kept its
** number, because nothing changes above it then.  Where they keep layers of
** nodes to find equal ones, we have the unique table. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

typedef struct tuple_ref {
  const uint32_t *values;
  uint32_t length;
} tuple_ref;

bool mdd_path_room(mdd_manager *m, uint32_t levels)
{
  if (levels <= m->path_cap)
    return true;
  size_t cap = levels + (size_t)levels / 2;
  uint32_t *new = mem_try_resize(m->path, m->path_cap * sizeof *new,
                                 mem_product(cap, sizeof *new));
  if (!new)
    return false;
  m->path = new;
  m->path_cap = cap;
  return true;
}

/* Fills 'path' with the nodes along the tuple.  Answers the level of the node
** that has no arc for it, or the length when the tuple is there.  The empty
** set has no node at level 0. */
static uint32_t walk_down(mdd_manager *m, mdd set, tuple_ref t)
{
  for (uint32_t i = 0; i < t.length; i++) {
    m->path[i] = set;
    if (set == MDD_EMPTY)
      return i;
    assert(set != MDD_UNIT);
    mdd child = mdd_child(m, set, t.values[i]);
    if (child == MDD_EMPTY)
      return i;
    set = child;
  }
  return t.length;
}

static bool push_words(mdd_manager *m, const uint32_t *words, size_t count)
{
  if (!mdd_stack_room(m, count))
    return false;
  if (count)
    memcpy(m->stack + m->stack_top, words, count * sizeof *words);
  m->stack_top += count;
  return true;
}

/* Puts the arcs 'from' up to 'to' of a node on the stack, with 'child' for
** 'value' instead of what is there.  'place' is what mdd_search answers for
** the value; it lies between the two. */
static bool push_part(mdd_manager *m, size_t base, mdd node, uint32_t value,
                      mdd child, size_t from, size_t place, size_t to)
{
  size_t width = m->width;
  const uint32_t *arcs = mdd_arc_words(m, node), *arc = arcs + place * width;
  const uint32_t *end = arcs + to * width;
  if (!push_words(m, arcs + from * width, (place - from) * width))
    return false;
  mdd_arc old = {0};
  bool split = arc < end && arc[0] <= value;
  if (split) {
    old = (mdd_arc){arc[0], arc[width - 2], arc[width - 1]};
    arc += width;
  }
  if (split && old.lo < value &&
      !mdd_push(m, base, old.lo, value - 1, old.child))
    return false;
  if (!mdd_push(m, base, value, value, child))
    return false;
  if (split && old.hi > value &&
      !mdd_push(m, base, value + 1, old.hi, old.child))
    return false;
  /* The first of the rest may be a neighbour with the same child. */
  if (arc < end) {
    if (!mdd_push(m, base, arc[0], arc[width - 2], arc[width - 1]))
      return false;
    arc += width;
  }
  return push_words(m, arc, (size_t)(end - arc));
}

/* All arcs of a node, which may be the empty set. */
static bool push_changed(mdd_manager *m, size_t base, mdd node, uint32_t value,
                         mdd child)
{
  if (node == MDD_EMPTY)
    return mdd_push(m, base, value, value, child);
  return push_part(m, base, node, value, child, 0, mdd_search(m, node, value),
                   mdd_arc_count(m, node));
}

/* ---- without changing anything ----------------------------------------- */

static mdd make_changed(mdd_manager *m, mdd node, uint32_t value, mdd child)
{
  size_t base = m->stack_top;
  if (!push_changed(m, base, node, value, child))
    return mdd_give_up(m, base);
  return mdd_make(m, base);
}

static mdd do_insert(mdd_manager *m, mdd set, mdd unused, const void *context)
{
  (void)unused;
  tuple_ref t = *(const tuple_ref *)context;
  if (!mdd_path_room(m, t.length))
    return MDD_FULL;
  uint32_t missing = walk_down(m, set, t);
  if (missing == t.length)
    return t.length ? set : MDD_UNIT;
  mdd result = MDD_UNIT;
  for (uint32_t i = t.length; i-- && result != MDD_FULL;)
    result = make_changed(m, i > missing ? MDD_EMPTY : m->path[i], t.values[i],
                          result);
  return result;
}

mdd mdd_insert(mdd_manager *m, mdd set, const uint32_t *tuple, uint32_t length)
{
  return mdd_run(m, do_insert, set, MDD_EMPTY, &(tuple_ref){tuple, length});
}

mdd mdd_tuple(mdd_manager *m, const uint32_t *tuple, uint32_t length)
{
  return mdd_insert(m, MDD_EMPTY, tuple, length);
}

/* ---- in place ---------------------------------------------------------- */

static bool is_owned(const mdd_manager *m, mdd node)
{
  return m->words[node] & MDD_FLAG_OWNED;
}

static void disown(mdd_manager *m, mdd node)
{
  if (node > MDD_UNIT)
    m->words[node] &= ~MDD_FLAG_OWNED;
}

/* Number of levels whose nodes may be changed in place.  A node below an arc
** that stands for several values is shared among them. */
static uint32_t owned_levels(mdd_manager *m, tuple_ref t, uint32_t missing)
{
  for (uint32_t i = 0; i <= missing; i++) {
    mdd node = m->path[i];
    if (node == MDD_EMPTY || !is_owned(m, node))
      return i;
    if (i == missing)
      break;
    uint32_t place = mdd_search(m, node, t.values[i]);
    const uint32_t *arc = mdd_arc_words(m, node) + (size_t)place * m->width;
    if (arc[0] != arc[m->width - 2]) {
      /* Cutting it in pieces may add a reference to the child. */
      disown(m, arc[m->width - 1]);
      return i + 1;
    }
  }
  return missing + 1;
}

/* Memory for all that can be needed, so that nothing can fail half-way. */
static bool ensure_memory(mdd_manager *m, tuple_ref t, uint32_t missing)
{
  uint64_t words = 0;
  uint32_t widest = 1;
  for (uint32_t i = 0; i < t.length; i++) {
    uint32_t count = 1;
    if (i <= missing && m->path[i] != MDD_EMPTY)
      count = mdd_arc_count(m, m->path[i]) + 2; /* a range becomes three */
    if (count > MDD_COUNT_MASK / 4)
      return false;
    words += mdd_block_words(m, count);
    widest = count > widest ? count : widest;
  }
  return mdd_stack_room(m, (size_t)widest * m->width) &&
         mdd_ensure_words(m, words);
}

/* A block with its arcs and hash, not yet in the table, becomes a node; or an
** equal one is there, which has then one reference more. */
static mdd settle(mdd_manager *m, mdd node)
{
  mdd found = mdd_find(m, mdd_arc_words(m, node), mdd_arc_count(m, node),
                       m->words[node + 2]);
  if (found) {
    mdd_give_block(m, node);
    disown(m, found);
    return found;
  }
  m->words[node] |= MDD_FLAG_OWNED;
  mdd_link(m, node);
  return node;
}

/* A block of its own for the arcs on the stack above 'base', taken off. */
static mdd take_arcs(mdd_manager *m, size_t base)
{
  size_t words = m->stack_top - base;
  uint32_t count = (uint32_t)(words / m->width);
  mdd node = mdd_take_block(m, count);
  assert(node);
  memcpy(mdd_arc_words(m, node), m->stack + base, words * sizeof *m->stack);
  m->words[node + 2] = mdd_hash(m, m->stack + base, count);
  m->stack_top = base;
  return node;
}

/* A changed copy; the children that it has in common with the original get one
** more reference. */
static mdd copy_changed(mdd_manager *m, mdd node, uint32_t value, mdd child)
{
  size_t base = m->stack_top;
  bool pushed = push_changed(m, base, node, value, child);
  assert(pushed);
  (void)pushed;
  for (size_t i = base + m->width - 1; i < m->stack_top; i += m->width)
    if (m->stack[i] != child)
      disown(m, m->stack[i]);
  return settle(m, take_arcs(m, base));
}

/* Replaces the arcs 'from' up to 'to' of a node that is not in the table by
** those on the stack above 'base', which are taken off.  Moves the node when
** its block gets too small or too large. */
static mdd replace_arcs(mdd_manager *m, mdd node, size_t from, size_t to,
                        size_t base)
{
  size_t width = m->width, unit = width * sizeof *m->words;
  size_t count = mdd_arc_count(m, node), tail = count - to;
  size_t fresh = (m->stack_top - base) / width;
  size_t new_count = from + fresh + tail;
  uint32_t *arcs = mdd_arc_words(m, node);
  uint32_t hash = m->words[node + 2];
  hash -= mdd_hash(m, arcs + from * width, (uint32_t)(to - from));
  hash += mdd_hash(m, m->stack + base, (uint32_t)fresh);
  mdd new = node;
  if (mdd_capacity((uint32_t)new_count) != mdd_capacity((uint32_t)count)) {
    new = mdd_take_block(m, (uint32_t)new_count);
    assert(new);
    memcpy(mdd_arc_words(m, new), arcs, from * unit);
  }
  uint32_t *place = mdd_arc_words(m, new) + from * width;
  memmove(place + fresh * width, arcs + to * width, tail * unit);
  memcpy(place, m->stack + base, fresh * unit);
  m->stack_top = base;
  if (new != node)
    mdd_give_block(m, node);
  m->words[new] = (uint32_t)new_count;
  m->words[new + 2] = hash;
  return new;
}

/* Only the arc before and the one behind can be united with what is new. */
static mdd change_in_place(mdd_manager *m, mdd node, uint32_t value, mdd child)
{
  size_t base = m->stack_top, count = mdd_arc_count(m, node);
  size_t place = mdd_search(m, node, value);
  size_t from = place ? place - 1 : 0;
  size_t to = place + 2 < count ? place + 2 : count;
  mdd_unlink(m, node);
  bool pushed = push_part(m, base, node, value, child, from, place, to);
  assert(pushed);
  (void)pushed;
  return settle(m, replace_arcs(m, node, from, to, base));
}

static mdd add_missing(mdd_manager *m, mdd set, tuple_ref t, uint32_t missing)
{
  uint32_t owned = owned_levels(m, t, missing);
  mdd result = MDD_UNIT;
  for (uint32_t i = t.length; i--;) {
    if (i > missing)
      result = copy_changed(m, MDD_EMPTY, t.values[i], result);
    else if (i >= owned)
      result = copy_changed(m, m->path[i], t.values[i], result);
    else
      result = change_in_place(m, m->path[i], t.values[i], result);
    /* A node that kept its number leaves everything above as it is. */
    if (i < owned && result == m->path[i])
      return set;
  }
  return result;
}

/* Nodes may now be changed, so no remembered result can be trusted. */
static void begin_owning(mdd_manager *m)
{
  dd_cache_clear(&m->cache);
  m->owning = true;
}

mdd_outcome mdd_add(mdd_manager *m, mdd *set, const uint32_t *tuple,
                    uint32_t length)
{
  assert(*set != MDD_FULL);
  tuple_ref t = {tuple, length};
  if (!mdd_path_room(m, length))
    return MDD_NO_ROOM;
  uint32_t missing = walk_down(m, *set, t);
  if (missing == length && (length || *set == MDD_UNIT))
    return MDD_SEEN;
  begin_owning(m);
  m->arguments[0] = *set;
  mdd_collect_if_due(m);
  bool enough = !m->abandoned && ensure_memory(m, t, missing);
  if (!enough && !m->held && !m->abandoned) {
    mdd_collect(m);
    enough = !m->abandoned && ensure_memory(m, t, missing);
  }
  m->arguments[0] = MDD_EMPTY;
  if (!enough)
    return MDD_NO_ROOM;
  *set = length ? add_missing(m, *set, t, missing) : MDD_UNIT;
  return MDD_NEW;
}
