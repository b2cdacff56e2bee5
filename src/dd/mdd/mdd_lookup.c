/* Copies the nodes of some sets, each as an array or as a hash table. */

#include "dd/mdd/mdd_lookup.h"

#include "base/alloc.h"
#include "base/system/address_space.h"
#include "dd/mdd/mdd_internal.h"
#include "dd/node_map.h"

#include <assert.h>
#include <string.h>

enum {
  FIRST_WORDS = 2, /* of a copy: empty set and unit have no nodes */
  HEADER = 2,
  SMALL_SPAN = 8,      /* nodes of so few values are always dense */
  LEAST_STEP = 1 << 14 /* words by which the memory grows */
};

#define MOST_WORDS ((uint64_t)1 << 31)

typedef struct copying {
  mdd_lookup *to;
  const mdd_manager *from;
  dd_map places; /* of the nodes that are copied */
} copying;

bool mdd_lookup_create(mdd_lookup *l, size_t max_bytes)
{
  *l = (mdd_lookup){.last_root = SIZE_MAX};
  size_t most = MOST_WORDS * sizeof *l->words;
  if (!space_reserve(&l->memory, max_bytes < most ? max_bytes : most))
    return false;
  l->words = (uint32_t *)(void *)l->memory.base;
  return true;
}

static void free_path(mdd_lookup *l)
{
  mem_free(l->values, l->path_room * sizeof *l->values);
  mem_free(l->path, l->path_room * sizeof *l->path);
  l->values = l->path = NULL;
  l->path_room = 0;
}

static void free_roots(mdd_lookup *l)
{
  mem_free(l->roots, l->root_count * sizeof *l->roots);
  l->roots = NULL;
  l->root_count = 0;
}

void mdd_lookup_clear(mdd_lookup *l)
{
  free_path(l);
  free_roots(l);
  l->top = 0;
  l->depth = 0;
  l->last_root = SIZE_MAX;
  reserve_shrink(&l->memory, 0);
}

void mdd_lookup_destroy(mdd_lookup *l)
{
  free_path(l);
  free_roots(l);
  reserve_destroy(&l->memory);
  *l = (mdd_lookup){0};
}

size_t mdd_lookup_bytes(const mdd_lookup *l)
{
  return (size_t)l->top * sizeof *l->words + l->root_count * sizeof *l->roots +
         l->path_room * (sizeof *l->path + sizeof *l->values);
}

/* ---- copying ------------------------------------------------------------ */

/* Room for so many words more, all 0; 0 when there is no memory. */
static uint32_t take_words(mdd_lookup *l, uint64_t words)
{
  uint64_t end = l->top + words;
  if (end > MOST_WORDS || end * sizeof *l->words > l->max_bytes)
    return 0;
  size_t needed = end * sizeof *l->words;
  if (needed > l->memory.committed) {
    size_t wished = needed + needed / 8 + LEAST_STEP * sizeof *l->words;
    wished = wished < l->max_bytes ? wished : l->max_bytes;
    if (!reserve_commit(&l->memory, wished) &&
        !reserve_commit(&l->memory, needed))
      return 0;
  }
  uint32_t at = l->top;
  l->top = (uint32_t)end;
  memset(l->words + at, 0, words * sizeof *l->words);
  return at;
}

/* The slots' logarithm for so many arcs: a quarter at least stays empty. */
static uint32_t bits_for(uint32_t arcs)
{
  uint32_t bits = 2;
  while (((uint64_t)3 << bits) / 4 < arcs)
    bits++;
  return bits;
}

static bool is_dense(uint32_t arcs, uint64_t span)
{
  return span <= SMALL_SPAN || span <= 2 * (uint64_t)arcs;
}

static uint32_t copy_dense(copying *c, mdd node, uint32_t least, uint32_t span)
{
  uint32_t at = take_words(c->to, (uint64_t)HEADER + span);
  if (!at)
    return 0;
  uint32_t *words = c->to->words + at;
  words[0] = span;
  words[1] = least;
  for (mdd_cursor a = mdd_cursor_start(c->from, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    words[HEADER + a.lo - least] =
        a.child == MDD_UNIT ? MDD_UNIT : dd_map_get(&c->places, a.child);
  return at;
}

static uint32_t copy_hashed(copying *c, mdd node, uint32_t arcs)
{
  uint32_t bits = bits_for(arcs), mask = ((uint32_t)1 << bits) - 1;
  uint32_t at = take_words(c->to, HEADER + ((uint64_t)2 << bits));
  if (!at)
    return 0;
  c->to->words[at] = MDD_LOOKUP_HASHED | bits;
  uint32_t *slots = c->to->words + at + HEADER;
  for (mdd_cursor a = mdd_cursor_start(c->from, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    uint32_t i = mdd_lookup_home(a.lo, bits);
    while (slots[2 * i + 1])
      i = (i + 1) & mask;
    slots[2 * i] = a.lo;
    slots[2 * i + 1] =
        a.child == MDD_UNIT ? MDD_UNIT : dd_map_get(&c->places, a.child);
  }
  return at;
}

/* Copies a node behind all below it.  Recursion is as deep as there are
** levels.  False: no memory. */
static bool copy_node(copying *c, mdd node)
{
  if (node <= MDD_UNIT || dd_map_get(&c->places, node))
    return true;
  for (mdd_cursor a = mdd_cursor_start(c->from, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!copy_node(c, a.child))
      return false;
  uint32_t arcs = mdd_arc_count(c->from, node);
  const uint32_t *words = mdd_arc_words(c->from, node);
  uint32_t least = words[0], last = words[2 * (size_t)(arcs - 1)];
  uint64_t span = (uint64_t)last - least + 1;
  uint32_t at = is_dense(arcs, span)
                    ? copy_dense(c, node, least, (uint32_t)span)
                    : copy_hashed(c, node, arcs);
  uint32_t *place = at ? dd_map_at(&c->places, node) : NULL;
  if (!place)
    return false;
  *place = at;
  return true;
}

static bool get_path(mdd_lookup *l, size_t count)
{
  if (count <= l->path_room)
    return true;
  free_path(l);
  l->values = mem_try_alloc(mem_product(count, sizeof *l->values));
  l->path = mem_try_alloc(mem_product(count, sizeof *l->path));
  if (l->values && l->path) {
    l->path_room = (uint32_t)count;
    return true;
  }
  mem_free(l->values, count * sizeof *l->values);
  mem_free(l->path, count * sizeof *l->path);
  l->values = l->path = NULL;
  return false;
}

static bool get_roots(mdd_lookup *l, size_t count)
{
  l->roots = mem_try_alloc(mem_product(count, sizeof *l->roots));
  l->root_count = l->roots ? count : 0;
  return l->roots;
}

/* The longest tuples of the sets, and one more. */
static size_t path_for(const mdd_manager *m, const mdd *sets, size_t count)
{
  size_t most = 0;
  for (size_t i = 0; i < count; i++) {
    size_t levels = mdd_levels(m, sets[i]);
    most = levels > most ? levels : most;
  }
  return most + 1;
}

bool mdd_lookup_build(mdd_lookup *l, const mdd_manager *m, const mdd *sets,
                      size_t count, size_t max_bytes)
{
  assert(m->width == 2);
  free_roots(l);
  l->max_bytes = max_bytes < l->memory.limit ? max_bytes : l->memory.limit;
  l->top = FIRST_WORDS;
  l->depth = 0;
  l->last_root = SIZE_MAX;
  copying c = {.to = l, .from = m};
  bool good =
      count && get_path(l, path_for(m, sets, count)) && get_roots(l, count);
  for (size_t i = 0; i < count && good; i++) {
    good = copy_node(&c, sets[i]);
    l->roots[i] =
        sets[i] <= MDD_UNIT ? sets[i] : dd_map_get(&c.places, sets[i]);
  }
  dd_map_free(&c.places);
  if (!good)
    mdd_lookup_clear(l);
  return good;
}

/* ---- checking ----------------------------------------------------------- */

static uint32_t arcs_of(const uint32_t *node)
{
  uint32_t arcs = 0, head = node[0];
  if (head & MDD_LOOKUP_HASHED) {
    uint32_t slots = (uint32_t)1 << (head & ~MDD_LOOKUP_HASHED);
    for (uint32_t i = 0; i < slots; i++)
      arcs += node[HEADER + 2 * (size_t)i + 1] != 0;
    return arcs;
  }
  for (uint32_t i = 0; i < head; i++)
    arcs += node[HEADER + (size_t)i] != 0;
  return arcs;
}

/* Whether a node and all below it are as in the manager; each is looked at
** once, and always has the same copy. */
static bool check_node(copying *c, mdd node, uint32_t at)
{
  if (node <= MDD_UNIT || at <= MDD_UNIT)
    return node == at;
  uint32_t *place = dd_map_at(&c->places, node);
  if (!place || *place)
    return place && *place == at;
  *place = at;
  const uint32_t *words = c->to->words + at;
  if (at >= c->to->top || arcs_of(words) != mdd_arc_count(c->from, node))
    return false;
  for (mdd_cursor a = mdd_cursor_start(c->from, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!check_node(c, a.child, mdd_lookup_child(words, a.lo)))
      return false;
  return true;
}

bool mdd_lookup_check(const mdd_lookup *l, const mdd_manager *m,
                      const mdd *sets, size_t count)
{
  mdd_lookup seen = *l; /* read only */
  copying c = {.to = &seen, .from = m};
  bool good = l->root_count == count;
  for (size_t i = 0; i < count && good; i++)
    good = check_node(&c, sets[i], l->roots[i]);
  dd_map_free(&c.places);
  return good;
}
