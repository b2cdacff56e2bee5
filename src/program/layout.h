/* Where everything lives in a state.
**
**   | hidden globals | _last, trace, globals | entities ...
**
** An entity is a process or a channel.  In a model whose processes are all
** there from the start and never end, the layout is fixed: offsets are known
** and an entity has no tag.  Otherwise entities stand in order of creation,
** each with a tag that names its type, and are found by walking:
**
**   process   [tag] location [priority] locals
**   channel   [tag] [length, messages...]       nothing after a rendezvous tag
**
** The globals are cut into slices of equal size (the last may be shorter), so
** that a store can share what did not change; each slice is a component.
**
** Tags are process type indices, then channel type indices; 1 or 2 bytes.
** Numbers of more than one byte are little-endian and unaligned. */

#ifndef NUT_PROGRAM_LAYOUT_H
#define NUT_PROGRAM_LAYOUT_H

#include "program/program.h"
#include <string.h>

/* How a value is kept in a state. */
typedef enum {
  KEEP_U8,
  KEEP_U16,
  KEEP_S16,
  KEEP_S32,
  KEEP_BITS8, /* masked to 'bits', in 1, 2 or 4 bytes */
  KEEP_BITS16,
  KEEP_BITS32,
  KEEP_RANGE8, /* value - lo, in 1, 2 or 4 bytes */
  KEEP_RANGE16,
  KEEP_RANGE32
} keep_kind;

typedef struct keep {
  uint8_t kind, bits;
  int32_t lo, hi;
} keep;

typedef struct process_layout {
  uint32_t size; /* all of it, tag included */
  uint32_t location_offset, location_bytes;
  uint32_t priority_offset; /* 0 = none */
  uint32_t *locals;         /* offset of each local */
} process_layout;

typedef struct channel_layout {
  uint32_t size;
  uint32_t length_offset, length_bytes; /* 2 bytes for more than 255 messages */
  uint32_t first;                       /* offset of the first message */
  uint32_t message_size;
  uint32_t field_count;
  uint32_t *fields; /* offset of each field in its message */
  keep *keeps;
  uint32_t capacity;
} channel_layout;

typedef struct layout {
  bool fixed;
  uint32_t tag_bytes;
  uint32_t hidden; /* bytes of hidden globals */
  uint32_t globals_end;
  uint32_t slices;       /* components of the globals, 1 .. SLICES_MAX */
  uint32_t slice_shift;  /* a slice has 1 << slice_shift bytes */
  uint32_t last_offset;  /* of _last, when the model has it */
  uint32_t trace_offset; /* 2 bytes for a trace observer */
  bool has_last, has_trace, has_priority;
  uint32_t *globals; /* offset of each global */
  const type *types; /* of the globals, where they are not the model's; NULL */
  process_layout *processes;
  channel_layout *channels;
  uint32_t process_types, channel_types;
} layout;

/* Messages in the channel whose bytes, tag included, begin at 'at'. */
static inline uint32_t channel_length_at(const channel_layout *c,
                                         const uint8_t *at)
{
  at += c->length_offset;
  return !c->length_bytes      ? 0
         : c->length_bytes < 2 ? at[0]
                               : at[0] | (uint32_t)at[1] << 8;
}

/* The components that 'bytes' bytes of globals at 'offset' belong to. */
static inline uint64_t layout_slices_of(const layout *l, uint32_t offset,
                                        uint32_t bytes)
{
  uint32_t first = (offset - l->hidden) >> l->slice_shift;
  uint32_t last = (offset + bytes - 1 - l->hidden) >> l->slice_shift;
  return UINT64_C(1) << first | UINT64_C(1) << last;
}

/* False (with a diagnostic) when the model is too large: the initial state or
** something that can come later would have more than STATE_MAX bytes, or
** something has more numbers than two bytes can hold. */
enum { STATE_MAX = 1 << 24, NUMBERS_MAX = 1 << 16 };
bool layout_create(layout *, const model *, const type *types, diags *);
const layout *program_layout(const program *);

/* A process or channel of a state. */
typedef struct entity {
  uint32_t number;             /* processes from 0, channels from 1 */
  uint32_t offset;             /* of its first byte */
  const process_type *process; /* or NULL */
  const channel_type *channel; /* or NULL */
} entity;
typedef VEC(entity) entity_list;
/* All of them, processes first; the list is emptied before. */
void program_entities(const program *, const uint8_t *state, uint32_t length,
                      entity_list *);
keep keep_of(const type *);
/* SPIN masks a bit, bool or unsigned to its width, but not the elements of an
** array of them: those have whole bytes. */
keep keep_of_var(const var *);
/* The type of a variable in this layout, and how its elements are kept. */
static inline const type *layout_type(const layout *l, const var *v)
{
  bool own = l->types && !v->owner && !v->is_field;
  return own ? &l->types[v->index] : &v->type;
}
keep layout_keep(const layout *, const var *);
uint32_t keep_bytes(keep);

static inline int32_t keep_read(keep k, const uint8_t *p)
{
  int16_t s;
  uint16_t u;
  int32_t i;
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
  case KEEP_BITS8:
    return *p;
  case KEEP_U16:
  case KEEP_BITS16:
    memcpy(&u, p, 2);
    return u;
  case KEEP_S16:
    memcpy(&s, p, 2);
    return s;
  case KEEP_S32:
  case KEEP_BITS32:
    memcpy(&i, p, 4);
    return i;
  case KEEP_RANGE8:
    return *p + k.lo;
  case KEEP_RANGE16:
    memcpy(&u, p, 2);
    return u + k.lo;
  case KEEP_RANGE32:
    memcpy(&i, p, 4);
    return (int32_t)((uint32_t)i + (uint32_t)k.lo);
  }
  return 0;
}

/* Stores the truncated value; answers whether it did fit. */
static inline bool keep_write(keep k, uint8_t *p, int32_t value)
{
  uint32_t v = (uint32_t)value;
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
    *p = (uint8_t)v;
    return v <= 255;
  case KEEP_U16:
  case KEEP_S16:
    memcpy(p, &(uint16_t){(uint16_t)v}, 2);
    return k.kind == KEEP_U16 ? v <= 65535 : (int16_t)v == value;
  case KEEP_S32:
    memcpy(p, &v, 4);
    return true;
  case KEEP_BITS8:
    *p = (uint8_t)(v & ((1u << k.bits) - 1));
    return *p == v;
  case KEEP_BITS16:
    memcpy(p, &(uint16_t){(uint16_t)(v & ((1u << k.bits) - 1))}, 2);
    return v >> k.bits == 0;
  case KEEP_BITS32:
    if (k.bits < 32)
      v &= (1u << k.bits) - 1;
    memcpy(p, &v, 4);
    return v == (uint32_t)value;
  case KEEP_RANGE8:
  case KEEP_RANGE16:
  case KEEP_RANGE32:
    if (value < k.lo || value > k.hi)
      return false;
    v -= (uint32_t)k.lo;
    if (k.kind == KEEP_RANGE8)
      *p = (uint8_t)v;
    else if (k.kind == KEEP_RANGE16)
      memcpy(p, &(uint16_t){(uint16_t)v}, 2);
    else
      memcpy(p, &v, 4);
    return true;
  }
  return false;
}

/* Whether a message of 'args' values is one of the channel's; one that is only
** looked at may be shorter. */
static inline bool channel_takes(const channel_layout *c, uint32_t args,
                                 bool looks)
{
  return args == c->field_count || (looks && args < c->field_count);
}

#endif
