/* The index and the list of tuples grow; looking up is inline, in the header.
** */

#include "store/tree/quads.h"
#include "base/alloc.h"
#include <string.h>

enum {
  FIRST_SLOTS = 64,
  FIRST_ROOM = 16,
  MANY_ROWS = 1 << 12 /* the system moves pages, not bytes, from then on */
};

bool quads_create(quads *q)
{
  memset(q, 0, sizeof *q);
  q->list = mem_try_alloc(FIRST_ROOM * sizeof *q->list);
  q->room = q->list ? FIRST_ROOM : 0;
  if (q->list && index_create(&q->index, FIRST_SLOTS))
    return true;
  quads_destroy(q);
  return false;
}

void quads_destroy(quads *q)
{
  mem_free(q->list, q->room * sizeof *q->list);
  index_destroy(&q->index);
  memset(q, 0, sizeof *q);
}

size_t quads_bytes(const quads *q)
{
  return q->room * sizeof *q->list + index_bytes(&q->index);
}

static bool is_zero(quad q)
{
  return !(q.low | q.high);
}

/* Where memory is scarce there is none for two of them.  Half an index is of no
** use: this goes on to its end even if time is up. */
static bool widen_index(quads *q)
{
  if (!index_widen(&q->index, (q->index.mask + 1) * 2))
    return false;
  for (uint32_t i = 1; i <= q->count; i++)
    if (!is_zero(q->list[i]))
      index_put(&q->index, quad_hash(q->list[i]), i);
  return true;
}

static bool grow_index(quads *q)
{
  hash_index grown;
  if (!index_create(&grown, (q->index.mask + 1) * 2))
    return widen_index(q);
  for (uint32_t i = 1; i <= q->count; i++) {
    if (i % MEM_MOVES == 0 && mem_is_due()) {
      index_destroy(&grown);
      return false;
    }
    if (!is_zero(q->list[i]))
      index_put(&grown, quad_hash(q->list[i]), i);
  }
  grown.is_shared = q->index.is_shared;
  index_destroy(&q->index);
  q->index = grown;
  return true;
}

static bool grow_list(quads *q)
{
  uint32_t more = q->room / (q->room < MANY_ROWS ? 3 : 16);
  uint32_t room = q->room + more + 32;
  quad *list = mem_try_resize(q->list, q->room * sizeof *list,
                              (size_t)room * sizeof *list);
  if (!list)
    return false;
  q->list = list;
  q->room = room;
  return true;
}

static uint32_t add(quads *q, quad tuple, uint64_t hash)
{
  if (q->count >= INT32_MAX / 4 * 3)
    return QUADS_FULL;
  if (q->count + 1 == q->room && !grow_list(q))
    return QUADS_FULL;
  if (index_is_full(&q->index, q->count + 1) && !grow_index(q))
    return QUADS_FULL;
  q->list[++q->count] = tuple;
  index_put(&q->index, hash, q->count);
  return q->count;
}

/* ---- several threads ---------------------------------------------------- */

bool quads_make_room(quads *q)
{
  /* So many rows may be taken before all threads must wait again.  More would
  ** let tables grow long before those of one thread do.  A table that is about to
  ** be full grows with others that are: most meetings are for one of these. */
  uint32_t wanted = q->count / (q->index.refused ? 256 : 32) + 32;
  q->index.refused = 0;
  while (q->room - q->count - 1 < wanted)
    if (!grow_list(q))
      return false;
  while (index_is_full(&q->index, q->count + wanted))
    if (!grow_index(q))
      return false;
  return true;
}

/* The number of a row for a new tuple; 0: there is no room. */
static uint32_t take_row(quads *q)
{
  uint32_t count = __atomic_load_n(&q->count, __ATOMIC_RELAXED);
  do {
    if (count >= INT32_MAX / 4 * 3 || count + 1 >= q->room ||
        index_is_full(&q->index, count + 1))
      return 0;
  } while (!__atomic_compare_exchange_n(&q->count, &count, count + 1, true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  return count + 1;
}

/* The last row can be had by the next one who needs one; any other is a hole
** from now on.  Nobody knows its number. */
static void give_row(quads *q, uint32_t number)
{
  uint32_t last = number;
  q->list[number] = (quad){0, 0};
  SPIN_PAUSE();
  __atomic_compare_exchange_n(&q->count, &last, number - 1, false,
                              __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Reads the slots of a tuple up to the first that is free, and puts the tuple
** there; who finds that another thread was first reads that slot again. */
static uint32_t search_shared(quads *q, quad tuple, uint64_t hash)
{
  hash_index *x = &q->index;
  uint32_t own = 0, tag = index_tag(x, hash);
  for (uint32_t at = index_start(x, hash);; at = index_next(x, at)) {
    uint32_t slot = index_slot(x, at);
    if (!slot) {
      if (!own && (own = take_row(q))) {
        SPIN_PAUSE();
        q->list[own] = tuple;
      }
      SPIN_PAUSE();
      if (!own) {
        index_refuse(x);
        return QUADS_FULL;
      }
      if (__atomic_compare_exchange_n(&x->slots[at], &slot, tag | own, false,
                                      __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        return own;
    }
    uint32_t number = index_number_in(x, slot, hash);
    if (!number || !quad_equal(q->list[number], tuple))
      continue;
    if (own)
      give_row(q, own);
    return number;
  }
}

/* ---- looking up --------------------------------------------------------- */

uint32_t quads_search(quads *q, quad tuple, uint64_t hash)
{
  const hash_index *x = &q->index;
  if (is_zero(tuple))
    return 0;
  if (x->is_shared)
    return search_shared(q, tuple, hash);
  uint32_t at = index_start(x, hash);
  for (uint32_t slot; (slot = x->slots[at]); at = index_next(x, at)) {
    uint32_t number = index_number_in(x, slot, hash);
    if (number && quad_equal(q->list[number], tuple))
      return number;
  }
  return add(q, tuple, hash);
}

/* Every tuple is found under its number, and nothing else is there. */
bool quads_check(const quads *q)
{
  const hash_index *x = &q->index;
  uint64_t used = 0, holes = 0;
  for (uint64_t i = 0; i <= x->mask; i++)
    used += x->slots[i] != 0;
  for (uint32_t i = 1; i <= q->count; i++) {
    uint64_t hash = quad_hash(q->list[i]);
    uint32_t at = index_start(x, hash);
    if (is_zero(q->list[i])) {
      holes++;
      continue;
    }
    while (x->slots[at] && index_number(x, at, hash) != i)
      at = index_next(x, at);
    if (!x->slots[at])
      return false;
  }
  return used + holes == q->count && is_zero(q->list[0]);
}
