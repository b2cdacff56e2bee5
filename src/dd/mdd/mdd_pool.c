/* Blocks of words for nodes, and the unique table that finds them. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

enum {
  LEAST_STEP = 1 << 14, /* words by which the array grows */
  /* A closure asks again and again for images of nodes that have long become
  ** garbage; without these results it does everything again. */
  LEAST_CLOSE_RESULTS = 1 << 21,
  CLOSE_RESULTS_PER_NODE = 8
};

#define MOST_WORDS (UINT32_MAX - 1)

/* ---- memory ------------------------------------------------------------ */

static size_t bucket_bytes(const mdd_manager *m)
{
  return sizeof *m->buckets << (64 - m->shift);
}

size_t mdd_bytes(const mdd_manager *m)
{
  size_t words = (size_t)m->top + m->path_cap + m->scratch_cap;
  return sizeof *m + words * sizeof *m->words + bucket_bytes(m) +
         dd_cache_bytes(&m->cache) + dd_roots_bytes(&m->roots);
}

static bool can_afford(const mdd_manager *m, uint64_t bytes)
{
  size_t held = mdd_bytes(m);
  return held <= m->max_bytes && bytes <= m->max_bytes - held;
}

void mdd_fit_cache(mdd_manager *m)
{
  size_t wanted = m->nodes;
  if (m->closes) {
    wanted = (size_t)m->nodes * CLOSE_RESULTS_PER_NODE;
    wanted = wanted > LEAST_CLOSE_RESULTS ? wanted : LEAST_CLOSE_RESULTS;
  }
  if (can_afford(m, wanted * sizeof(dd_cache_entry)))
    dd_cache_grow(&m->cache, wanted);
  else if (m->closes && can_afford(m, m->nodes * sizeof(dd_cache_entry)))
    dd_cache_grow(&m->cache, m->nodes);
}

bool mdd_ensure_words(mdd_manager *m, uint64_t words)
{
  if (m->room - m->top >= words)
    return true;
  uint64_t most = MOST_WORDS - m->top;
  if (words > most)
    return false;
  uint64_t step = m->top / 8 > LEAST_STEP ? m->top / 8 : LEAST_STEP;
  step = step > words ? step : words;
  step = step > most ? most : step;
  if (!can_afford(m, step * sizeof *m->words))
    step = words;
  if (!can_afford(m, step * sizeof *m->words) ||
      !reserve_commit(&m->pool, (m->top + step) * sizeof *m->words))
    return false;
  m->room = (uint32_t)(m->top + step);
  mdd_fit_cache(m);
  return true;
}

/* ---- blocks ------------------------------------------------------------ */

/* The bin of blocks with room for at least 'arcs' and fewer than the next
** capacity: 1 to 16 singly, then eight bins for each doubling. */
static unsigned bin_of(uint32_t arcs)
{
  assert(arcs);
  if (arcs <= 16)
    return arcs;
  unsigned log = 31 - (unsigned)__builtin_clz(arcs);
  return 16 + (log - 4) * 8 + (arcs >> (log - 3) & 7);
}

void mdd_bin_block(mdd_manager *m, uint32_t at, uint32_t words)
{
  assert(words && !(words & ~MDD_COUNT_MASK));
  m->words[at] = words | MDD_FLAG_FREE;
  if (words < MDD_HEADER + m->width)
    return;
  unsigned bin = bin_of((words - MDD_HEADER) / m->width);
  m->words[at + 1] = m->bins[bin];
  m->bins[bin] = at;
  m->filled[bin / 64] |= UINT64_C(1) << bin % 64;
}

/* First bin from 'bin' on that is not empty, or MDD_BINS. */
static unsigned next_filled_bin(const mdd_manager *m, unsigned bin)
{
  for (unsigned word = bin / 64; word < MDD_BINS / 64; word++) {
    uint64_t bits = m->filled[word];
    if (word == bin / 64)
      bits &= ~UINT64_C(0) << bin % 64;
    if (bits)
      return word * 64 + (unsigned)__builtin_ctzll(bits);
  }
  return MDD_BINS;
}

uint32_t mdd_take_block(mdd_manager *m, uint32_t count)
{
  if (count > MDD_COUNT_MASK / 4)
    return 0;
  uint32_t words = mdd_block_words(m, count);
  unsigned bin = next_filled_bin(m, bin_of(mdd_capacity(count)));
  uint32_t at;
  if (bin < MDD_BINS) {
    at = m->bins[bin];
    uint32_t there = m->words[at] & MDD_COUNT_MASK;
    m->bins[bin] = m->words[at + 1];
    if (!m->bins[bin])
      m->filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
    if (there > words)
      mdd_bin_block(m, at + words, there - words);
  } else {
    if (m->room - m->top < words && !mdd_ensure_words(m, words))
      return 0;
    at = m->top;
    m->top += words;
  }
  m->used += words;
  if (++m->nodes > m->peak)
    m->peak = m->nodes;
  m->words[at] = count;
  return at;
}

void mdd_give_block(mdd_manager *m, mdd node)
{
  uint32_t words = mdd_block_words(m, mdd_arc_count(m, node));
  m->used -= words;
  m->nodes--;
  mdd_bin_block(m, node, words);
}

/* ---- the unique table -------------------------------------------------- */

static uint32_t *bucket_of_hash(const mdd_manager *m, uint32_t hash)
{
  return &m->buckets[hash * UINT64_C(0x9e3779b97f4a7c15) >> m->shift];
}

uint32_t mdd_hash(const mdd_manager *m, const uint32_t *arcs, uint32_t count)
{
  uint32_t hash = 0;
  if (m->width == 2)
    for (uint32_t i = 0; i < count; i++)
      hash += mdd_hash_arc(arcs[2 * i], arcs[2 * i], arcs[2 * i + 1]);
  else
    for (uint32_t i = 0; i < count; i++)
      hash += mdd_hash_arc(arcs[3 * i], arcs[3 * i + 1], arcs[3 * i + 2]);
  return hash;
}

mdd mdd_find(const mdd_manager *m, const uint32_t *arcs, uint32_t count,
             uint32_t hash)
{
  size_t bytes = (size_t)count * m->width * sizeof *arcs;
  uint32_t at = *bucket_of_hash(m, hash);
  for (; at; at = m->words[at + 1])
    if (m->words[at + 2] == hash && mdd_arc_count(m, at) == count &&
        !memcmp(mdd_arc_words(m, at), arcs, bytes))
      return at;
  return 0;
}

/* Doubles the buckets.  Without memory the chains get longer.  What is left of
** the old ones when time is up is lost to the table alone. */
static void grow_buckets(mdd_manager *m)
{
  size_t old_bytes = bucket_bytes(m);
  if (m->shift <= 32 || !can_afford(m, 2 * old_bytes))
    return;
  uint32_t *old = m->buckets, *new = mem_try_alloc(2 * old_bytes);
  if (!new)
    return;
  m->buckets = new;
  m->shift--;
  for (size_t b = 0; b < old_bytes / sizeof *old; b++)
    for (uint32_t at = old[b], next; at && !mdd_is_abandoned(m); at = next) {
      next = m->words[at + 1];
      uint32_t *bucket = bucket_of_hash(m, m->words[at + 2]);
      m->words[at + 1] = *bucket;
      *bucket = at;
    }
  mem_free(old, old_bytes);
}

void mdd_link(mdd_manager *m, mdd node)
{
  uint32_t *bucket = bucket_of_hash(m, m->words[node + 2]);
  m->words[node + 1] = *bucket;
  *bucket = node;
  /* Powers of two only: a refusal is not asked for again at every node. */
  uint32_t count = m->nodes;
  if (!(count & (count - 1)) && count >= bucket_bytes(m) / sizeof *m->buckets)
    grow_buckets(m);
}

void mdd_unlink(mdd_manager *m, mdd node)
{
  uint32_t *at = bucket_of_hash(m, m->words[node + 2]);
  while (*at && *at != node)
    at = &m->words[*at + 1];
  assert(*at || m->abandoned);
  if (*at)
    *at = m->words[node + 1];
}
