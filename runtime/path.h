/* Steps that are made of several: what an earlier one hands down to those
** after it, and the two halves of a rendezvous. */

#ifndef NUT_RUNTIME_PATH_H
#define NUT_RUNTIME_PATH_H

#include "runtime/step.h"

/* Emitted: every process but 'sender' answers the rendezvous offered in the
** state 's' in all the ways it can, youngest first. */
static int model_answers_all(nut_run *, const uint8_t *s, uint32_t length,
                             uint32_t sender);

/* What was made since a mark is reached through an earlier step: its first
** edge is that one's, and its changes come on top. */
typedef struct nut_mark {
  nut_successor *list;
  nut_frame *frame;
} nut_mark;

NUT_INLINE nut_mark nut_mark_here(const nut_run *x)
{
  return (nut_mark){x->out.list, x->next_frame};
}

/* What 'others' becomes when 'more', which is of the same kind, joins them. */
NUT_INLINE uint16_t nut_join_others(uint16_t others, uint16_t more)
{
  if (!others || !more)
    return others | more;
  return others == more ? others : NUT_SEVERAL;
}

/* Whoever made the later step takes part in the whole. */
NUT_INLINE void nut_inherit(nut_successor *to, const nut_successor *from)
{
  uint16_t self = (uint16_t)(from->process + 1);
  uint16_t later = (uint16_t)(to->process + 1);
  uint16_t others = to->others == self ? 0 : to->others;
  others = nut_join_others(others, later == self ? 0 : later);
  to->others = nut_join_others(others, from->others);
  to->edge = from->edge;
  to->process = from->process;
  to->changed |= from->changed;
}

/* Answers whether there was anything. */
NUT_INLINE int nut_inherit_since(nut_run *x, nut_mark since,
                                 const nut_successor *from)
{
  for (nut_successor *e = since.list; e < x->out.list; e++)
    nut_inherit(e, from);
  for (nut_frame *f = since.frame; f < x->next_frame; f++)
    nut_inherit(&f->made, from);
  return x->out.list != since.list || x->next_frame != since.frame;
}

/* The sender of 'edge' has moved in 'sent'.  Answers how its offer was met:
** whether anybody received. */
static int __attribute__((unused))
nut_offer(nut_run *x, uint32_t length, uint32_t sender, uint32_t edge,
          uint64_t changed)
{
  nut_mark here = nut_mark_here(x);
  int result = model_answers_all(x, x->sent, length, sender);
  if (NUT_RARE(result < 0))
    return result;
  nut_successor from = {
      .edge = edge, .process = (uint16_t)sender, .changed = changed};
  if (!nut_inherit_since(x, here, &from))
    return 0;
  x->out.reached[edge] = 1;
  return 1;
}

#endif
