/* The strings stand one behind the other; an index of hashes leads to them. */

#include "base/numbering.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* More numbers than a slot of the index has room for, with a tag. */
#define NUMBERS_MOST (UINT32_C(1) << 29)

const uint8_t *numbering_get(const numbering *n, uint32_t number,
                             uint32_t *length)
{
  size_t start = n->starts.data[number - 1];
  *length = (uint32_t)(n->starts.data[number] - start);
  return n->bytes.data + start;
}

static void grow_index(numbering *n, uint32_t slots)
{
  hash_index larger;
  uint32_t length;
  if (!index_create(&larger, slots))
    mem_give_up();
  for (uint32_t i = 1; i <= numbering_count(n); i++) {
    if (i % MEM_MOVES == 0 && mem_is_due()) {
      index_destroy(&larger);
      mem_give_up();
    }
    const uint8_t *bytes = numbering_get(n, i, &length);
    index_put(&larger, hash_bytes(bytes, length), i);
  }
  index_destroy(&n->index);
  n->index = larger;
}

static uint32_t find(const numbering *n, const uint8_t *bytes, size_t length,
                     uint64_t hash)
{
  const hash_index *x = &n->index;
  if (!x->slots)
    return 0;
  for (uint32_t at = index_start(x, hash); x->slots[at];
       at = index_next(x, at)) {
    uint32_t number = index_number(x, at, hash), other = 0;
    const uint8_t *known = number ? numbering_get(n, number, &other) : NULL;
    if (known && other == length && !memcmp(known, bytes, length))
      return number;
  }
  return 0;
}

uint32_t numbering_add(numbering *n, const uint8_t *bytes, size_t length)
{
  uint64_t hash = hash_bytes(bytes, length);
  uint32_t found = find(n, bytes, length, hash);
  if (found)
    return found;
  if (!n->index.slots)
    grow_index(n, FIRST_SLOTS);
  if (!n->starts.len)
    vec_push(&n->starts, 0);
  uint32_t number = (uint32_t)n->starts.len;
  if (number >= NUMBERS_MOST)
    mem_give_up();
  if (index_is_full(&n->index, number))
    grow_index(n, 2 * (n->index.mask + 1));
  vec_grow(&n->bytes, length + 1);
  vec_grow(&n->starts, 1);
  memcpy(n->bytes.data + n->bytes.len, bytes, length);
  n->bytes.len += length;
  vec_push(&n->starts, n->bytes.len);
  index_put(&n->index, hash, number);
  return number;
}

void numbering_free(numbering *n)
{
  vec_free(&n->starts);
  vec_free(&n->bytes);
  index_destroy(&n->index);
  *n = (numbering){0};
}
