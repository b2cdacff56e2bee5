/* Queues inside a state: 'length' messages of 'size' bytes at 'first', behind
** them zeros up to the capacity. */

#ifndef NUT_RUNTIME_CHANNEL_H
#define NUT_RUNTIME_CHANNEL_H

#include "runtime/step.h"

/* A channel number that names one. */
#define NUT_CHANNEL(value, channels)                                           \
  __extension__({                                                              \
    uint32_t number_ = (uint32_t)(value);                                      \
    if (NUT_RARE(number_ - 1 >= (channels)))                                   \
      goto bail;                                                               \
    number_;                                                                   \
  })

/* Messages in a channel whose length stands at 'at'; a rendezvous channel has
** none and is never full. */
NUT_INLINE uint32_t nut_messages(const uint8_t *at, uint32_t capacity)
{
  return capacity ? at[0] : 0;
}

NUT_INLINE int32_t nut_is_full(const uint8_t *at, uint32_t capacity)
{
  return capacity && at[0] >= capacity;
}

/* Makes room for a message at 'slot'; the new one is written by the caller. */
NUT_INLINE uint8_t *nut_insert(uint8_t *first, uint32_t slot, uint32_t length,
                               uint32_t size)
{
  uint8_t *at = first + slot * size;
  memmove(at + size, at, (size_t)(length - slot) * size);
  return at;
}

/* Takes the message at 'slot' out of 'length'. */
NUT_INLINE void nut_remove(uint8_t *first, uint32_t slot, uint32_t length,
                           uint32_t size)
{
  uint8_t *at = first + slot * size;
  uint32_t after = length - 1 - slot;
  memmove(at, at + size, (size_t)after * size);
  memset(at + after * size, 0, size);
}

/* Takes the first message out of a queue with 'total' bytes of room.  Moving
** all of it, in use or not, is the same as moving the messages, because the
** rest is zero; and 'total' and 'size' are constants. */
NUT_INLINE void nut_shift(uint8_t *first, size_t total, size_t size)
{
  memmove(first, first + size, total - size);
  memset(first + total - size, 0, size);
}

#endif
