/* The stack of a depth-first search: states waiting to be expanded, and below
** each of them, marked, the expanded states that led to it.
**
**   bottom | root* | sibling | child* | child of child | ...  top
**                                          * = expanded: the path to the top
**
** An entry ends with its mark, so that the stack can be read from the top
** down: first the content, then a tail of 'tail' bytes with a value and, in its
** highest bit, the mark.  With a store that gives states back the content is
** the hidden bytes of the state and the value its number, in 5 bytes for dense
** numbers and 8 for others; without, the content is the whole state and the
** value its length.  All bytes lie in one flat array. */

#ifndef NUT_SEARCH_WALK_STACK_H
#define NUT_SEARCH_WALK_STACK_H

#include "base/system/address_space.h"
#include "base/system/reserve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct stack {
  reserve bytes;
  size_t used;
} stack;

/* Number or length of the entry that ends at 'end', and its mark, which is the
** highest bit of the last byte. */
static inline uint64_t stack_value(const stack *s, size_t end, uint32_t tail)
{
  uint64_t value = 0;
  memcpy(&value, s->bytes.base + end - tail, tail);
  return value & ~(UINT64_C(1) << (8 * tail - 1));
}

static inline bool stack_marked(const stack *s, size_t end)
{
  return s->bytes.base[end - 1] >> 7;
}

/* Pushes an entry: content, then number or length.  False: no memory. */
static inline bool stack_push(stack *s, const uint8_t *content, uint32_t length,
                              uint64_t value, uint32_t tail)
{
  size_t needed = s->used + length + tail;
  if (needed > s->bytes.committed && !reserve_commit(&s->bytes, needed))
    return false;
  if (length)
    memcpy(s->bytes.base + s->used, content, length);
  memcpy(s->bytes.base + needed - tail, &value, tail);
  s->used = needed;
  return true;
}

/* Marks the entry that ends at 'end' as expanded. */
static inline void stack_mark(stack *s, size_t end)
{
  s->bytes.base[end - 1] |= 0x80;
}

/* Gives the entry that ends at 'end' another number. */
static inline void stack_set(stack *s, size_t end, uint64_t value,
                             uint32_t tail)
{
  bool mark = stack_marked(s, end);
  memcpy(s->bytes.base + end - tail, &value, tail);
  s->bytes.base[end - 1] |= (uint8_t)(mark << 7);
}

#endif
