/* Blocks of words for nodes, and the table that finds equal ones. */

#include "store/diagram/sharing_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

enum {
  FIRST_STEP = 1 << 12, /* words by which the pool grows at least */
  FIRST_BITS = 8,       /* of a place in the table */
  EXACT = 16            /* up to so many sons blocks fit exactly */
};

#define MOST_POOL_WORDS (UINT32_MAX - 1)

/* ---- memory ------------------------------------------------------------ */

static size_t table_size(const sharing *s)
{
  return sizeof *s->buckets << (64 - s->shift);
}

size_t sharing_bytes(const sharing *s)
{
  size_t words = (size_t)s->top + s->lengths + 5 * (size_t)s->depth;
  return sizeof *s + words * sizeof *s->words + table_size(s) + s->drawn_bytes;
}

static bool has_budget(const sharing *s, uint64_t bytes)
{
  size_t held = sharing_bytes(s);
  return held <= s->max_bytes && bytes <= s->max_bytes - held;
}

bool sharing_ensure(sharing *s, uint64_t words)
{
  if (s->room - s->top >= words)
    return true;
  uint64_t most = MOST_POOL_WORDS - s->top;
  uint64_t step = s->top / 16 > FIRST_STEP ? s->top / 16 : FIRST_STEP;
  step = step > words ? step : words;
  if (step > most || !has_budget(s, step * sizeof *s->words))
    step = words;
  if (step > most || !has_budget(s, step * sizeof *s->words) ||
      !reserve_commit(&s->pool, (s->top + step) * sizeof *s->words))
    return false;
  s->room = (uint32_t)(s->top + step);
  return true;
}

bool sharing_create(sharing *s, size_t max_bytes, unsigned reduce_every)
{
  *s = (sharing){.max_bytes = max_bytes,
                 .reduce_every = reduce_every,
                 .shift = 64 - FIRST_BITS,
                 .top = 2,
                 .room = 2};
  size_t most = (size_t)MOST_POOL_WORDS * sizeof *s->words;
  s->buckets = mem_try_alloc(table_size(s));
  if (!s->buckets ||
      !space_reserve(&s->pool, max_bytes < most ? max_bytes : most)) {
    sharing_destroy(s);
    return false;
  }
  s->words = (uint32_t *)s->pool.base;
  return true;
}

void sharing_destroy(sharing *s)
{
  mem_free(s->buckets, s->buckets ? table_size(s) : 0);
  mem_free(s->roots, s->lengths * sizeof *s->roots);
  mem_free(s->path, 5 * (size_t)s->depth * sizeof *s->path);
  mem_free(s->drawn, s->drawn_bytes);
  reserve_destroy(&s->pool);
  *s = (sharing){0};
}

/* ---- blocks ------------------------------------------------------------ */

/* Room for sons in steps of an eighth, so that a node that grows is seldom
** moved. */
static uint32_t room_for(uint32_t sons)
{
  if (sons <= EXACT)
    return sons;
  uint32_t step = (uint32_t)1 << (28 - __builtin_clz(sons - 1));
  return (sons + step - 1) & ~(step - 1);
}

uint32_t sharing_block_words(uint32_t sons)
{
  return sons == 1 ? AT_SON + 1 : AT_LIST + room_for(sons);
}

/* The bin of blocks for so many sons: all of them have the same size. */
static unsigned bin_for(uint32_t sons)
{
  uint32_t room = room_for(sons);
  if (room <= EXACT)
    return room;
  unsigned log = 31 - (unsigned)__builtin_clz(room);
  return EXACT + (log - 4) * 8 + (room >> (log - 3) & 7);
}

uint32_t sharing_take(sharing *s, uint32_t count)
{
  unsigned bin = bin_for(count);
  uint32_t node = s->bins[bin];
  if (node) {
    s->bins[bin] = s->words[node];
  } else {
    node = s->top;
    s->top += sharing_block_words(count);
    assert(s->top <= s->room);
  }
  s->nodes++;
  s->words[node + AT_FATHERS] = 0;
  if (count > 1) {
    s->words[node + AT_FATHERS] = SHARING_SEVERAL;
    s->words[node + AT_COUNT] = count;
  }
  return node;
}

void sharing_give(sharing *s, uint32_t node)
{
  uint32_t count;
  sharing_sons(s, node, &count);
  unsigned bin = bin_for(count);
  s->words[node] = s->bins[bin];
  s->bins[bin] = node;
  s->nodes--;
}

/* ---- the table ---------------------------------------------------------- */

static uint32_t *bucket_at(const sharing *s, uint32_t value, uint32_t sum)
{
  uint64_t x = value * UINT64_C(0xd6e8feb86659fd93) + sum;
  x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return &s->buckets[x >> s->shift];
}

static uint32_t sum_of(const sharing *s, uint32_t node)
{
  return sharing_has_several(s, node)
             ? s->words[node + AT_SUM]
             : sharing_hash_son(s->words[node + AT_SON]);
}

static uint32_t *bucket_of_node(const sharing *s, uint32_t node)
{
  return bucket_at(s, s->words[node + AT_VALUE], sum_of(s, node));
}

uint32_t sharing_find_single(const sharing *s, uint32_t value, uint32_t son)
{
  uint32_t at = *bucket_at(s, value, sharing_hash_son(son));
  for (; at; at = s->words[at + AT_NEXT])
    if (s->words[at + AT_VALUE] == value && s->words[at + AT_SON] == son &&
        !sharing_has_several(s, at))
      return at;
  return SHARING_NONE;
}

uint32_t sharing_find(const sharing *s, uint32_t node)
{
  const uint32_t *words = s->words + node;
  if (!sharing_has_several(s, node))
    return sharing_find_single(s, words[AT_VALUE], words[AT_SON]);
  /* Count, sum and sons stand one behind the other. */
  size_t bytes = (words[AT_COUNT] + 2) * sizeof *words;
  uint32_t at = *bucket_of_node(s, node);
  for (; at; at = s->words[at + AT_NEXT])
    if (s->words[at + AT_VALUE] == words[AT_VALUE] &&
        sharing_has_several(s, at) &&
        s->words[at + AT_COUNT] == words[AT_COUNT] &&
        !memcmp(s->words + at + AT_COUNT, words + AT_COUNT, bytes))
      return at;
  return SHARING_NONE;
}

/* Doubles the buckets.  Without memory the chains get longer. */
static void grow_table(sharing *s)
{
  size_t old_bytes = table_size(s);
  if (s->shift <= 32 || !has_budget(s, 2 * old_bytes))
    return;
  uint32_t *old = s->buckets, *new = mem_try_alloc(2 * old_bytes);
  if (!new)
    return;
  s->buckets = new;
  s->shift--;
  for (size_t b = 0; b < old_bytes / sizeof *old; b++)
    for (uint32_t at = old[b], next; at; at = next) {
      next = s->words[at + AT_NEXT];
      uint32_t *bucket = bucket_of_node(s, at);
      s->words[at + AT_NEXT] = *bucket;
      *bucket = at;
    }
  mem_free(old, old_bytes);
}

void sharing_link(sharing *s, uint32_t node)
{
  uint32_t *bucket = bucket_of_node(s, node);
  s->words[node + AT_NEXT] = *bucket;
  *bucket = node;
  /* Powers of two only: a refusal is not asked for again at every node. */
  if (!(s->nodes & (s->nodes - 1)) &&
      s->nodes >= table_size(s) / sizeof *s->buckets)
    grow_table(s);
}

void sharing_unlink(sharing *s, uint32_t node)
{
  uint32_t *at = bucket_of_node(s, node);
  while (*at != node)
    at = &s->words[*at + AT_NEXT];
  *at = s->words[node + AT_NEXT];
}

void sharing_empty_table(sharing *s)
{
  memset(s->buckets, 0, table_size(s));
}
