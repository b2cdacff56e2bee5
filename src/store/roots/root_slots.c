/* A number for each pair of a set in which nothing changes any more: buckets and
** slots in order, then what is spilled.  Searches keep notes by it. */

#include "store/roots/root_set_internal.h"

enum { PART_BUCKETS = 64 };

static uint64_t all_buckets(const roots *r)
{
  return r->bucket_count + ROOTS_DISTANCES;
}

uint64_t roots_slots(const roots *r)
{
  return all_buckets(r) * r->slots + r->spill_room;
}

uint64_t roots_slot(const roots *r, uint32_t left, uint32_t right)
{
  roots_place p = roots_locate(r, left, right);
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++) {
    const uint8_t *bucket = r->buckets + (p.home + d) * ROOTS_BUCKET;
    uint32_t slot = roots_slot_in(r, bucket, d, p.rest);
    if (slot != ROOTS_SLOTS_MAX)
      return (p.home + d) * r->slots + slot;
    if (!bucket[r->slots - 1])
      return ROOTS_NO_SLOT;
  }
  const uint64_t *at = find_spilled(r, (uint64_t)left << 32 | right);
  return at ? all_buckets(r) * r->slots + (uint64_t)(at - r->spill)
            : ROOTS_NO_SLOT;
}

/* The last part is what is spilled. */
uint64_t roots_parts(const roots *r)
{
  return (all_buckets(r) + PART_BUCKETS - 1) / PART_BUCKETS + 1;
}

static void each_spilled(const roots *r, roots_visit *visit, void *context)
{
  for (size_t i = 0; i < r->spill_room; i++)
    if (r->spill[i] != UINT64_MAX) {
      uint64_t pair = spilled_pair(r, i);
      visit(context, all_buckets(r) * r->slots + i, (uint32_t)(pair >> 32),
            (uint32_t)pair);
    }
}

void roots_each_of(const roots *r, uint64_t part, roots_visit *visit,
                   void *context)
{
  uint64_t first = part * PART_BUCKETS, end = first + PART_BUCKETS;
  if (first >= all_buckets(r)) {
    each_spilled(r, visit, context);
    return;
  }
  if (end > all_buckets(r))
    end = all_buckets(r);
  reader from = reader_before(r, first);
  for (uint64_t b = first; b < end; b++) {
    read_bucket(&from, b);
    for (uint32_t i = 0, n = used_at(r, b); i < n; i++) {
      uint64_t pair = pair_at(&from, i);
      visit(context, b * r->slots + i, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
  }
}
