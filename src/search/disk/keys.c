/* Lists of keys: sorted in place by their bytes, the highest first (McIlroy,
** Bostic, McIlroy, "Engineering radix sort", 1993), small ones by insertion. */

#include "search/disk/run_file.h"

enum { SMALL = 48 };

static inline uint64_t plain(uint64_t key)
{
  return key & ~RUN_FOUND;
}

static void insertion_sort(uint64_t *keys, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    uint64_t key = keys[i];
    size_t k = i;
    for (; k && plain(keys[k - 1]) > plain(key); k--)
      keys[k] = keys[k - 1];
    keys[k] = key;
  }
}

/* All keys are equal above bit 'shift' + 8. */
static void sort_by(uint64_t *keys, size_t count, uint32_t shift)
{
  size_t starts[257] = {0}, next[256];
  if (count <= SMALL) {
    insertion_sort(keys, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    starts[(plain(keys[i]) >> shift & 255) + 1]++;
  for (int b = 0; b < 256; b++) {
    starts[b + 1] += starts[b];
    next[b] = starts[b];
  }
  for (int b = 0; b < 256; b++)
    while (next[b] < starts[b + 1]) {
      uint64_t key = keys[next[b]];
      for (uint32_t to;
           (to = (uint32_t)(plain(key) >> shift & 255)) != (uint32_t)b;) {
        uint64_t other = keys[next[to]];
        keys[next[to]++] = key;
        key = other;
      }
      keys[next[b]++] = key;
    }
  for (int b = 0; shift && b < 256; b++)
    if (starts[b + 1] - starts[b] > 1)
      sort_by(keys + starts[b], starts[b + 1] - starts[b],
              shift > 8 ? shift - 8 : 0);
}

void keys_sort(uint64_t *keys, size_t count)
{
  uint64_t all = 0;
  for (size_t i = 0; i < count; i++)
    all |= plain(keys[i]);
  uint32_t bits = all ? 64 - (uint32_t)__builtin_clzll(all) : 0;
  if (count > 1)
    sort_by(keys, count, bits > 8 ? bits - 8 : 0);
}

size_t keys_unite(uint64_t *keys, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!kept || plain(keys[kept - 1]) != plain(keys[i]))
      keys[kept++] = keys[i];
  return kept;
}

bool keys_has(const uint64_t *keys, size_t count, uint64_t key)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && keys[low] == key;
}

uint32_t keys_right_bits(const uint64_t *keys, size_t count)
{
  uint32_t all = 0;
  for (size_t i = 0; i < count; i++)
    all |= (uint32_t)keys[i];
  return all ? 32 - (uint32_t)__builtin_clz(all) : 0;
}
