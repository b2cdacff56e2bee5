/* The stack of a depth-first search: states waiting to be expanded, and below
** each of them, marked, the expanded states that led to it.
**
**   bottom | root* | sibling | child* | child of child | ...  top
**                                          * = expanded: the path to the top
**
** An entry ends with its mark, so that the stack can be read from the top
** down: first the content, then a tail of some bytes with a value and, in its
** highest bit, the mark.  With a store that gives states back the content is
** the hidden bytes of the state and the value its handle; without, the content
** is the whole state and the value its length.  All bytes lie in one flat
** array, whose end goes back to the system when it is not needed any more.
**
** The two halves of a handle, 32 bits each, have as many bits as the largest
** that was ever pushed needs, so that a pair of small numbers has a short tail.
** When a larger one comes all tails are made longer.
**
** Always: 8 bytes can be read and written at every tail. */

#ifndef NUT_SEARCH_WALK_STACK_H
#define NUT_SEARCH_WALK_STACK_H

#include "base/system/address_space.h"
#include "base/system/reserve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  STACK_SLACK = 8,          /* behind the last entry */
  STACK_GIVE_BACK = 1 << 20 /* bytes that are not needed any more */
};

typedef struct stack {
  reserve bytes;
  size_t used;
  size_t give_at;  /* 'used' at which some goes back; 0: never */
  uint32_t tail;   /* bytes of an entry's tail */
  uint32_t low;    /* bits of a value's lower half */
  uint64_t mask;   /* all bits of a tail but the mark */
  uint64_t excess; /* the bits of a value that have no place */
} stack;

/* Begins an empty stack whose values have so many bits in their halves.  False:
** no address space. */
bool stack_create(stack *, size_t max_bytes, uint32_t high, uint32_t low);
void stack_destroy(stack *);
/* Makes the tails longer, as 'value' needs it; all entries have 'length' bytes
** of content.  False: no memory, and nothing has changed. */
bool stack_widen(stack *, uint64_t value, uint32_t length);
/* Makes room for so many bytes.  False: no memory. */
bool stack_make_room(stack *, size_t bytes);
void stack_give_back(stack *);

/* Handle or length of the entry that ends at 'end', and its mark, which is the
** highest bit of the last byte. */
static inline uint64_t stack_value(const stack *s, size_t end)
{
  uint64_t value;
  memcpy(&value, s->bytes.base + end - s->tail, sizeof value);
  value &= s->mask;
  return value >> s->low << 32 | (value & ((UINT64_C(1) << s->low) - 1));
}

static inline bool stack_marked(const stack *s, size_t end)
{
  return s->bytes.base[end - 1] >> 7;
}

/* Pushes an entry: content, then handle or length.  False: no memory. */
static inline bool stack_push(stack *s, const uint8_t *content, uint32_t length,
                              uint64_t value)
{
  if ((value & s->excess) && !stack_widen(s, value, length))
    return false;
  size_t needed = s->used + length + s->tail;
  if (needed + STACK_SLACK > s->bytes.committed && !stack_make_room(s, needed))
    return false;
  uint8_t *at = s->bytes.base + s->used;
  if (length)
    memcpy(at, content, length);
  uint64_t packed = value >> 32 << s->low | (uint32_t)value;
  memcpy(at + length, &packed, sizeof packed);
  s->used = needed;
  return true;
}

/* Takes what is above 'used' from the stack. */
static inline void stack_cut(stack *s, size_t used)
{
  s->used = used;
  if (used < s->give_at)
    stack_give_back(s);
}

/* Marks the entry that ends at 'end' as expanded. */
static inline void stack_mark(stack *s, size_t end)
{
  s->bytes.base[end - 1] |= 0x80;
}

/* Gives the entry that ends at 'end' another handle; all entries have 'length'
** bytes of content.  Returns where it ends now.  Without memory for longer
** tails it leaves the protected call. */
size_t stack_set(stack *, size_t end, uint64_t value, uint32_t length);

#endif
