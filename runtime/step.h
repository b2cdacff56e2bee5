/* What the emitted functions of a process type are made of.
**
** 's' is the state read, 'd' the copy being changed.  A label 'bail' in every
** emitted function leaves it with NUT_BAIL, and 'room' with NUT_ROOM; macros
** that jump there are the only ones that know names of their surroundings. */

#ifndef NUT_RUNTIME_STEP_H
#define NUT_RUNTIME_STEP_H

#include "runtime/abi.h"
#include <string.h>

#define NUT_INLINE static inline __attribute__((always_inline, unused))
/* What every edge calls: in a large model a call each is compiled in half the
** time. */
#ifdef NUT_LARGE
#define NUT_STEP static __attribute__((noinline, unused))
#else
#define NUT_STEP NUT_INLINE
#endif
#define NUT_RARE(x) __builtin_expect(!!(x), 0)

/* ---- values ----------------------------------------------------------- */

NUT_INLINE int32_t nut_u16(const uint8_t *p)
{
  uint16_t v;
  memcpy(&v, p, 2);
  return v;
}

NUT_INLINE int32_t nut_s16(const uint8_t *p)
{
  int16_t v;
  memcpy(&v, p, 2);
  return v;
}

NUT_INLINE int32_t nut_s32(const uint8_t *p)
{
  int32_t v;
  memcpy(&v, p, 4);
  return v;
}

/* Whether one of eight bytes is not 0. */
NUT_INLINE int nut_any(const uint8_t *p)
{
  uint64_t v;
  memcpy(&v, p, 8);
  return v != 0;
}

NUT_INLINE void nut_put16(uint8_t *p, uint32_t value)
{
  uint16_t v = (uint16_t)value;
  memcpy(p, &v, 2);
}

NUT_INLINE void nut_put32(uint8_t *p, uint32_t value)
{
  memcpy(p, &value, 4);
}

/* An index that was found to be in range. */
#define NUT_INDEX(value, bound)                                                \
  __extension__({                                                              \
    uint32_t index_ = (uint32_t)(value);                                       \
    if (NUT_RARE(index_ >= (bound)))                                           \
      goto bail;                                                               \
    index_;                                                                    \
  })

/* A value that must be stored as it is. */
#define NUT_WITHIN(value, lo, hi)                                              \
  __extension__({                                                              \
    int32_t value_ = (value);                                                  \
    if (NUT_RARE(value_ < (lo) || value_ > (hi)))                              \
      goto bail;                                                               \
    value_;                                                                    \
  })

#define NUT_DIVIDE(a, operation, b)                                            \
  __extension__({                                                              \
    int32_t a_ = (a), b_ = (b);                                                \
    if (NUT_RARE(b_ == 0 || b_ == -1))                                         \
      goto bail;                                                               \
    a_ operation b_;                                                           \
  })

/* The value of embedded C in a state, for the running process. */
#define NUT_EMBED(code, state, type)                                           \
  __extension__({                                                              \
    if (NUT_RARE(!x->embed(x, code, (uint8_t *)(uintptr_t)(state), pid, self,  \
                           type)))                                             \
      goto bail;                                                               \
    x->embed_value;                                                            \
  })

/* ---- other processes -------------------------------------------------- */

/* The process that is meant by a reference to one of type 'type': by its
** number, or, for -1, the first.  -1 when there is none. */
NUT_INLINE int32_t nut_find(const uint16_t *types, uint32_t processes,
                            uint32_t type, int32_t number)
{
  if (number >= 0)
    return (uint32_t)number < processes && types[number] == type ? number : -1;
  for (uint32_t i = 0; i < processes; i++)
    if (types[i] == type)
      return (int32_t)i;
  return -1;
}

/* ---- steps ------------------------------------------------------------ */

/* The bit of a component in 'changed'. */
NUT_INLINE uint64_t nut_bit(uint32_t component)
{
  return UINT64_C(1) << (component < 63 ? component : 63);
}

/* The slices of the globals that 'bytes' bytes at 'at' belong to. */
NUT_INLINE uint64_t nut_slices(uint32_t at, uint32_t bytes, uint32_t shift)
{
  return UINT64_C(1) << (at >> shift) | UINT64_C(1)
                                            << ((at + bytes - 1) >> shift);
}

/* A copy of 's' behind the successors made so far, or NULL: no room. */
NUT_STEP uint8_t *nut_begin(const nut_run *x, const uint8_t *s, size_t length)
{
  uint8_t *d = x->out.bytes;
  if (NUT_RARE((size_t)(x->out.end - d) < length ||
               x->out.list == x->out.list_end))
    return NULL;
  memcpy(d, s, length);
  return d;
}

/* The copy 'd' is a successor. */
NUT_STEP void nut_end(nut_run *x, uint8_t *d, uint32_t length, uint32_t edge,
                      uint32_t process, uint64_t changed)
{
  nut_successor *e = x->out.list;
  e->start = (uint32_t)(d - x->out.first);
  e->length = length;
  e->edge = edge;
  e->process = (uint16_t)process;
  e->others = 0;
  e->changed = changed;
  e->first_step = 0;
  e->steps = 0;
  x->out.list = e + 1;
  x->out.bytes = d + length;
  x->out.reached[edge] = 1;
}

/* The same for a step after which the process keeps control. */
NUT_STEP uint8_t *nut_begin_atomic(const nut_run *x, const uint8_t *s,
                                   size_t length)
{
  uint8_t *d = x->next_frame_byte;
  if (NUT_RARE((size_t)(x->frame_bytes_end - d) < length ||
               x->next_frame == x->frames_end))
    return NULL;
  memcpy(d, s, length);
  return d;
}

NUT_STEP void nut_end_atomic(nut_run *x, uint8_t *d, uint32_t length,
                             uint32_t edge, uint32_t process, uint64_t changed)
{
  nut_frame *f = x->next_frame;
  f->made.start = (uint32_t)(d - x->frame_bytes);
  f->made.length = length;
  f->made.edge = edge;
  f->made.process = (uint16_t)process;
  f->made.others = 0;
  f->made.changed = changed;
  f->process = process;
  x->next_frame = f + 1;
  x->next_frame_byte = d + length;
  x->atomic_steps++;
  x->out.reached[edge] = 1;
}

/* The state in which the sender of a rendezvous has moved. */
NUT_STEP uint8_t *nut_begin_send(const nut_run *x, const uint8_t *s,
                                 size_t length)
{
  if (NUT_RARE(length > x->scratch))
    return NULL;
  memcpy(x->sent, s, length);
  return x->sent;
}

/* ---- what steps have to do with each other ------------------------------ */

NUT_INLINE void nut_touch_some(const nut_run *x, uint32_t process,
                               uint64_t uses, uint64_t writes)
{
  nut_touch *t = &x->touches[process];
  t->uses = uses | NUT_TOUCH_ANY;
  t->writes = writes;
}

NUT_INLINE void nut_touch_all(const nut_run *x, uint32_t process)
{
  nut_touch_some(x, process, UINT64_MAX, UINT64_MAX);
}

/* The bit of a byte of the globals.  An index that is out of bounds, which is not
** used then, may give any. */
NUT_INLINE uint64_t nut_touch_byte(uint32_t at, uint32_t shift)
{
  return UINT64_C(1) << (at >> shift & 63);
}

/* ---- processes and channels that come and go -------------------------- */

NUT_INLINE void nut_add_process(nut_run *x, uint32_t type, uint32_t offset)
{
  x->process_offset[x->processes] = offset;
  x->process_type[x->processes++] = (uint16_t)type;
}

NUT_INLINE uint32_t nut_add_channel(nut_run *x, uint32_t type, uint32_t offset)
{
  x->channel_offset[++x->channels] = offset;
  x->channel_type[x->channels] = (uint16_t)type;
  return x->channels;
}

/* After an edge that created some: the state expanded has none of them. */
NUT_INLINE void nut_restore(nut_run *x)
{
  x->processes = x->all_processes;
  x->channels = x->all_channels;
}

#endif
