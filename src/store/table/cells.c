/* Buckets made, grown by moving all codes, and checked.  Looking up is inline,
** in the header. */

#include "store/table/cells.h"

#include "base/alloc.h"

enum {
  LEAST_SLOTS = 4,
  FIRST_BUCKETS = 4,
  /* Of the slots, in percent: when a set is to be enlarged, and how full it may
  ** get when there is no memory for that. */
  LOAD = 86,
  GREATEST_LOAD = 96
};

/* ---- set-up -------------------------------------------------------------- */

/* Cache lines that have room for some codes with their tags. */
static void shape_buckets(cells *c)
{
  uint32_t bytes = c->kind.bytes;
  uint32_t lines = (LEAST_SLOTS * (bytes + 1) + CELLS_LINE - 1) / CELLS_LINE;
  uint32_t slots = lines * CELLS_LINE / (bytes + 1);
  c->whole = bytes / 8;
  c->rest = bytes % 8 ? UINT64_MAX >> (64 - 8 * (bytes % 8)) : 0;
  c->bucket_bytes = lines * CELLS_LINE;
  c->slots = slots < CELLS_SLOTS ? slots : CELLS_SLOTS;
}

static uint64_t at_load(const cells *c, unsigned percent)
{
  uint64_t slots = c->buckets * c->slots;
  return slots / 100 * percent + slots % 100 * percent / 100;
}

/* A set of so many buckets, all of which are empty. */
static bool make(cells *c, const cells_kind *kind, uint64_t buckets,
                 size_t max_bytes)
{
  *c = (cells){.kind = *kind, .buckets = buckets};
  shape_buckets(c);
  if (buckets > max_bytes / c->bucket_bytes)
    return false;
  /* Codes are read by whole words, also the last one. */
  size_t all = buckets * c->bucket_bytes + sizeof(uint64_t);
  if (reserve_create(&c->memory, all) && reserve_commit(&c->memory, all)) {
    c->limit = at_load(c, LOAD);
    return true;
  }
  cells_destroy(c);
  return false;
}

bool cells_create(cells *c, const cells_kind *kind, uint64_t expected,
                  size_t max_bytes)
{
  cells shape = {.kind = *kind};
  shape_buckets(&shape);
  uint64_t slots = expected * 100 / LOAD;
  uint64_t buckets = (slots + slots / 8) / shape.slots + FIRST_BUCKETS;
  return make(c, kind, buckets, max_bytes);
}

void cells_destroy(cells *c)
{
  reserve_destroy(&c->memory);
  *c = (cells){.buckets = 0};
}

size_t cells_bytes(const cells *c)
{
  return c->buckets * c->bucket_bytes;
}

/* ---- walking and growing
** -------------------------------------------------- */

uint64_t cells_next(const cells *c, uint64_t place)
{
  uint64_t bucket = place >> CELLS_SLOT_BITS;
  uint32_t slot = place % CELLS_SLOTS;
  /* What is occupied comes first. */
  for (; bucket < c->buckets; bucket++, slot = 0)
    if (slot < c->slots && cells_bucket(c, bucket)[slot])
      return bucket << CELLS_SLOT_BITS | slot;
  return CELLS_END;
}

/* The place for a code that is known to be new. */
static uint64_t empty_place(const cells *c, uint64_t hash)
{
  uint64_t home = cells_home(c, hash);
  uint32_t free;
  while (!(free = cells_matches(c, cells_bucket(c, home), 0)))
    home = home + 1 == c->buckets ? 0 : home + 1;
  return home << CELLS_SLOT_BITS | (uint32_t)__builtin_ctz(free);
}

/* Homes keep their order, so both sets are gone through from the left to the
** right. */
static bool enlarge(cells *c, uint64_t buckets, uint64_t *words,
                    size_t more_bytes)
{
  cells new;
  if (!make(&new, &c->kind, buckets, more_bytes))
    return false;
  for (uint64_t b = 0; b < c->buckets; b++) {
    const uint8_t *tags = cells_bucket(c, b);
    for (uint32_t i = 0; i < c->slots && tags[i]; i++) {
      cells_read(c, b << CELLS_SLOT_BITS | i, words);
      uint64_t hash = cells_hash(c, words);
      cells_put(&new, empty_place(&new, hash), words, hash);
    }
  }
  cells_destroy(c);
  *c = new;
  return true;
}

/* Where there is no memory for twice as many, a bit more must do, or fuller
** buckets. */
bool cells_make_room(cells *c, uint64_t more, uint64_t *words,
                     size_t more_bytes)
{
  while (c->count + more > c->limit)
    if (!enlarge(c, 2 * c->buckets, words, more_bytes) &&
        !enlarge(c, c->buckets + c->buckets / 16 + 1, words, more_bytes)) {
      c->limit = at_load(c, GREATEST_LOAD);
      return c->count + more <= c->limit;
    }
  return true;
}

/* ---- checking
** ------------------------------------------------------------- */

/* Found where it is: nothing with its hash is before it, and no gap. */
static bool check_codes(const cells *c, uint64_t *words)
{
  uint64_t count = 0, there;
  for (uint64_t at = cells_next(c, 0); at != CELLS_END;
       at = cells_next(c, at + 1), count++) {
    cells_read(c, at, words);
    uint64_t hash = cells_hash(c, words);
    if (hash != cells_hash_at(c, cells_at(c, at)) ||
        cells_find(c, words, hash, &there) != CELLS_FOUND || there != at)
      return false;
  }
  return count == c->count;
}

static bool check_tags(const cells *c)
{
  for (uint64_t b = 0; b < c->buckets; b++)
    for (uint32_t i = 1; i < c->slots; i++)
      if (cells_bucket(c, b)[i] && !cells_bucket(c, b)[i - 1])
        return false;
  return true;
}

bool cells_check(const cells *c)
{
  size_t bytes = (c->whole + 2) * sizeof(uint64_t);
  uint64_t *words = mem_try_alloc(bytes);
  bool right =
      words && c->count <= c->limit && check_tags(c) && check_codes(c, words);
  mem_free(words, bytes);
  return right;
}
