/* The index for numbers that are not dense: open addressing, with gaps closed.
** */

#include "search/liveness/number_map.h"

#include "base/alloc.h"
#include "base/hash.h"

enum { SLOTS_AT_FIRST = 1024 };

/* The slot of a key, or the free one where it would be. */
static size_t find_slot(const number_map *m, uint64_t key)
{
  size_t at = hash_mix(key) & (m->slots - 1);
  while (m->keys[at] && m->keys[at] != key)
    at = (at + 1) & (m->slots - 1);
  return at;
}

static void free_slots(number_map *m)
{
  mem_free(m->keys, m->slots * sizeof *m->keys);
  mem_free(m->values, m->slots * sizeof *m->values);
  m->keys = NULL;
  m->values = NULL;
  m->slots = 0;
}

static void grow(number_map *m)
{
  number_map old = *m, made = *m;
  made.slots = old.slots ? 2 * old.slots : SLOTS_AT_FIRST;
  made.keys = mem_try_alloc(made.slots * sizeof *made.keys);
  made.values = mem_try_alloc(made.slots * sizeof *made.values);
  if (!made.keys || !made.values) {
    free_slots(&made);
    mem_give_up();
  }
  for (size_t i = 0; i < old.slots; i++) {
    if (i % MEM_MOVES == MEM_MOVES - 1 && mem_is_due()) {
      free_slots(&made);
      mem_give_up();
    }
    if (old.keys[i]) {
      size_t at = find_slot(&made, old.keys[i]);
      made.keys[at] = old.keys[i];
      made.values[at] = old.values[i];
    }
  }
  free_slots(m);
  *m = made;
}

uint32_t *number_map_at(number_map *m, store_handle number)
{
  if (m->dense) {
    if (number >= m->by_number.len)
      vec_resize(&m->by_number, number + 1);
    return m->by_number.data + number;
  }
  if (4 * (m->count + 1) > 3 * m->slots)
    grow(m);
  size_t at = find_slot(m, number + 1);
  m->count += !m->keys[at];
  m->keys[at] = number + 1;
  return m->values + at;
}

uint32_t number_map_get(const number_map *m, store_handle number)
{
  if (m->dense)
    return number < m->by_number.len ? m->by_number.data[number] : 0;
  if (!m->slots)
    return 0;
  size_t at = find_slot(m, number + 1);
  return m->keys[at] ? m->values[at] : 0;
}

/* Moves the entries that were pushed along by the one at 'gap' into it. */
static void close_gap(number_map *m, size_t gap)
{
  size_t mask = m->slots - 1;
  for (size_t at = (gap + 1) & mask; m->keys[at]; at = (at + 1) & mask) {
    size_t home = hash_mix(m->keys[at]) & mask;
    if (((at - home) & mask) < ((at - gap) & mask))
      continue;
    m->keys[gap] = m->keys[at];
    m->values[gap] = m->values[at];
    gap = at;
  }
  m->keys[gap] = 0;
  m->values[gap] = 0;
}

void number_map_remove(number_map *m, store_handle number)
{
  if (m->dense) {
    if (number < m->by_number.len)
      m->by_number.data[number] = 0;
    return;
  }
  if (!m->slots)
    return;
  size_t at = find_slot(m, number + 1);
  if (!m->keys[at])
    return;
  m->count--;
  close_gap(m, at);
}

size_t number_map_bytes(const number_map *m)
{
  return m->by_number.cap * sizeof(uint32_t) +
         m->slots * (sizeof *m->keys + sizeof *m->values);
}

void number_map_free(number_map *m)
{
  vec_free(&m->by_number);
  free_slots(m);
  m->count = 0;
}
