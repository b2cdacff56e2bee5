/* The stack of a depth-first search: states waiting to be expanded, and below
** each of them, marked, the expanded states that led to it.
**
**   bottom | root* | sibling | child* | child of child | ...  top
**                                          * = expanded: the path to the top
**
** An entry ends with its mark, so that the stack can be read from the top
** down.  With a store that gives states back an entry is the hidden bytes of
** the state, then its number (39 bits) and the mark in 5 bytes; without, it is
** the whole state, then 4 bytes of length and 1 of mark.  All bytes lie in one
** flat array. */

#ifndef NUT_SEARCH_STACK_H
#define NUT_SEARCH_STACK_H

#include "base/reserve.h"
#include "store/space.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { STACK_TAIL = 5 };

typedef struct stack {
  reserve bytes;
  size_t used;
} stack;

/* Number or length of the entry that ends at 'end', and its mark, which is the
** highest bit of the last byte. */
static inline uint64_t stack_value(const stack *s, size_t end)
{
  uint32_t low;
  memcpy(&low, s->bytes.base + end - STACK_TAIL, 4);
  return (uint64_t)(s->bytes.base[end - 1] & 0x7f) << 32 | low;
}

static inline bool stack_marked(const stack *s, size_t end)
{
  return s->bytes.base[end - 1] >> 7;
}

/* Pushes an entry: content, then number or length.  False: no memory. */
static inline bool stack_push(stack *s, const uint8_t *content, uint32_t length,
                              uint64_t value)
{
  size_t needed = s->used + length + STACK_TAIL;
  if (needed > s->bytes.committed && !reserve_commit(&s->bytes, needed))
    return false;
  if (length)
    memcpy(s->bytes.base + s->used, content, length);
  uint32_t low = (uint32_t)value;
  memcpy(s->bytes.base + needed - STACK_TAIL, &low, 4);
  s->bytes.base[needed - 1] = (uint8_t)(value >> 32);
  s->used = needed;
  return true;
}

/* Marks the top entry as expanded. */
static inline void stack_mark(stack *s)
{
  s->bytes.base[s->used - 1] |= 0x80;
}

#endif
