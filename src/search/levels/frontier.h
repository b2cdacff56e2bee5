/* States of a level by their handles, in the order in which they were found.
** Walkers take pieces of it from the start, any number of them at a time. */

#ifndef NUT_SEARCH_LEVELS_FRONTIER_H
#define NUT_SEARCH_LEVELS_FRONTIER_H

#include "base/system/reserve.h"
#include "store/store.h"
#include <stdatomic.h>

enum { FRONTIER_PIECE = 256 }; /* handles taken at a time */

/* Handles are below 2^63; this says that nothing was left out when the state
** was expanded. */
#define FRONTIER_FULL (UINT64_C(1) << 63)

typedef struct frontier {
  reserve memory;
  reserve asleep; /* where it is kept: who is, by state (asleep.h) */
  size_t count;
  atomic_size_t taken;
} frontier;

static inline store_handle *frontier_handles(const frontier *f)
{
  return (store_handle *)(void *)f->memory.base;
}

/* Who is asleep in each state; NULL: it is not kept. */
static inline uint16_t *frontier_asleep(const frontier *f)
{
  return (uint16_t *)(void *)f->asleep.base;
}

/* Adds handles; false: no memory, and nothing was added. */
static inline bool frontier_add_asleep(frontier *f, store_handle handle,
                                       uint16_t asleep)
{
  size_t bytes = (f->count + 1) * sizeof handle;
  if (bytes > f->memory.committed && !reserve_commit(&f->memory, bytes))
    return false;
  if (f->asleep.base) {
    bytes = (f->count + 1) * sizeof asleep;
    if (bytes > f->asleep.committed && !reserve_commit(&f->asleep, bytes))
      return false;
    frontier_asleep(f)[f->count] = asleep;
  }
  frontier_handles(f)[f->count++] = handle;
  return true;
}

static inline bool frontier_add(frontier *f, store_handle handle)
{
  return frontier_add_asleep(f, handle, 0);
}

/* Two states in it change places, and with them who is asleep there. */
static inline void frontier_swap(frontier *f, size_t a, size_t b)
{
  store_handle *handles = frontier_handles(f), handle = handles[a];
  uint16_t *asleep = frontier_asleep(f);
  handles[a] = handles[b];
  handles[b] = handle;
  if (!asleep)
    return;
  uint16_t mask = asleep[a];
  asleep[a] = asleep[b];
  asleep[b] = mask;
}

/* Whether so many more can be added; false: no memory. */
static inline bool frontier_has_room(frontier *f, size_t more)
{
  size_t bytes = (f->count + more) * sizeof(store_handle);
  size_t asleep = (f->count + more) * sizeof(uint16_t);
  return (bytes <= f->memory.committed || reserve_commit(&f->memory, bytes)) &&
         (!f->asleep.base || asleep <= f->asleep.committed ||
          reserve_commit(&f->asleep, asleep));
}

/* How many more of so many can be added, at least one in LESS of them: 0: no memory.
** What is done in parts can be done in smaller ones. */
static inline size_t frontier_has_some(frontier *f, size_t more)
{
  enum { LESS = 64 };
  for (size_t n = more; n && n >= more / LESS; n /= 2)
    if (frontier_has_room(f, n))
      return n;
  return 0;
}

/* The next piece that nobody has taken; how many handles, 0: there is none. */
static inline size_t frontier_take(frontier *f, store_handle **piece)
{
  if (atomic_load_explicit(&f->taken, memory_order_relaxed) >= f->count)
    return 0;
  size_t from = atomic_fetch_add_explicit(&f->taken, FRONTIER_PIECE,
                                          memory_order_relaxed);
  if (from >= f->count)
    return 0;
  *piece = frontier_handles(f) + from;
  return f->count - from < FRONTIER_PIECE ? f->count - from : FRONTIER_PIECE;
}

/* It is empty again, and keeps its memory. */
static inline void frontier_clear(frontier *f)
{
  f->count = 0;
  atomic_store_explicit(&f->taken, 0, memory_order_relaxed);
}

#endif
