/* A multicast: the sender has moved in 'sent', and every member that is ready
** joins, by one of the edges it can join by; all combinations are successors.
** The order is that of the interpreter (src/program/interp/rendezvous.c). */

#ifndef NUT_RUNTIME_GATHER_H
#define NUT_RUNTIME_GATHER_H

#include "runtime/path.h"

/* Emitted.  All members but 'sender', oldest first, call nut_join for every
** edge they can join by. */
static int model_joins_all(nut_run *, const uint8_t *s, uint32_t sender);
/* The message is stored by 'who', which joins by an edge. */
static int model_receives(nut_run *, uint8_t *d, const nut_sender *who);
/* The effects of an edge of a multicast, and the move of who joins by it. */
static int model_takes_part(nut_run *, uint8_t *d, const nut_sender *who);

/* 0 when there are too many. */
NUT_INLINE int nut_join(nut_run *x, uint32_t edge, uint32_t process,
                        uint32_t self, uint64_t mine)
{
  if (x->joins == NUT_JOINS)
    return 0;
  nut_member *last = x->members ? &x->member[x->members - 1] : 0;
  if (!last || x->join[last->first].process != process) {
    last = &x->member[x->members++];
    last->first = last->chosen = x->joins;
  }
  x->join[x->joins++] = (nut_sender){edge, process, self, mine};
  last->end = x->joins;
  return 1;
}

/* Moves to the next combination of edges; 0 after the last. */
NUT_INLINE int nut_join_next(nut_run *x)
{
  for (uint32_t i = 0; i < x->members; i++) {
    nut_member *m = &x->member[i];
    if (++m->chosen < m->end)
      return 1;
    m->chosen = m->first;
  }
  return 0;
}

/* Every member gets the message, then come the effects of the sender, then
** those of the members. */
NUT_INLINE int nut_join_chosen(nut_run *x, uint8_t *d)
{
  int r = 0;
  for (uint32_t i = 0; i < x->members && r >= 0; i++)
    r = model_receives(x, d, &x->join[x->member[i].chosen]);
  if (r >= 0)
    r = model_takes_part(x, d, &x->sender);
  for (uint32_t i = 0; i < x->members && r >= 0; i++) {
    const nut_sender *who = &x->join[x->member[i].chosen];
    r = model_takes_part(x, d, who);
    x->out.reached[who->edge] = 1;
  }
  return r;
}

static int __attribute__((unused))
nut_gather(nut_run *x, uint32_t length, uint64_t changed)
{
  x->members = x->joins = 0;
  int r = model_joins_all(x, x->sent, x->sender.process);
  if (NUT_RARE(r < 0))
    return r;
  uint32_t first = x->members ? x->join[x->member[0].first].process + 1 : 0;
  do {
    uint8_t *d = nut_begin(x, x->sent, length);
    if (!d)
      return NUT_ROOM;
    x->sender_changed = changed;
    r = nut_join_chosen(x, d);
    if (NUT_RARE(r < 0))
      return r;
    nut_end(x, d, length, x->sender.edge, x->sender.process, x->sender_changed);
    x->out.list[-1].others = x->members > 1 ? NUT_SEVERAL : (uint16_t)first;
  } while (nut_join_next(x));
  return 1;
}

#endif
