/* A model as a list of steps.  Every process that is there at the start is an
** 'instance'; a step is an edge of one instance, or of several that communicate
** at once.  A member of a port that does not take part in a multicast is
** 'absent': it must not be ready. */

#ifndef NUT_CONVERT_FLAT_H
#define NUT_CONVERT_FLAT_H

#include "base/arena.h"
#include "convert/convert.h"

typedef struct flat_part {
  uint32_t who; /* the instance: its number */
  const edge *edge;
} flat_part;

/* Parts and absent instances are slices of the lists in 'flat'.  The sender
** comes first. */
typedef struct flat_step {
  uint32_t first, count;
  uint32_t absent, absent_count;
} flat_step;

typedef struct flat {
  const model *m;
  arena *arena;
  text *why;
  VEC(flat_step) steps;
  VEC(flat_part) parts;
  VEC(uint32_t) absent;
} flat;

/* False with the reason in 'why' when the model has what no list of steps can
** tell.  'flat_free' is called in both cases. */
bool flat_build(flat *, const model *, text *why);
void flat_free(flat *);

/* The type of an instance. */
static inline const process_type *flat_type(const flat *f, uint32_t who)
{
  return f->m->initial.data[who];
}

/* The channel of a communication; buffered ones and those of rendezvous. */
static inline const channel_type *flat_channel(const flat *f, const comm *c)
{
  return f->m->initial_channels.data[c->channel->value - 1];
}

/* Whether the step sends to a channel with a buffer, or receives from one. */
static inline bool flat_is_buffered(const flat *f, const flat_step *s)
{
  const comm *c = f->parts.data[s->first].edge->comm;
  return c && (c->kind == COMM_SEND || c->kind == COMM_RECEIVE) &&
         flat_channel(f, c)->capacity;
}

/* Whether 'e' can be the answer of its process to the send of 'sender', as far
** as constants tell. */
bool flat_can_answer(const edge *sender, const edge *e);

/* Who an expression of the instance 'self' looks at; UINT32_MAX with a reason
** when that is not known. */
uint32_t flat_looked_at(flat *, uint32_t self, const expr *e);

#endif
