/* Which steps need not be taken in a state, because another order of the same
** steps leads to the same states.
**
**        w        Two processes p and q can move in w, and neither writes what
**      p/ \q      the other uses.  Then both orders lead to the same states.
**      /   \      Of these p is the younger one.  A state u that was found
**     v     u     from w by q need not be left by p: what p leads to from u, q
**      \q /p      leads to from v.  We say that p is asleep in u.
**       \ /
**        s
**
** Nothing is lost in a search level by level.  Let s be a state of level n, and
** all states of earlier levels be found in their levels.  Among the steps from
** states of level n - 1 to s let one be by the oldest process.  Were it, by p
** from u, not taken, then u was found from some w of level n - 2 by an older
** process q, and v would be of level n - 1, or s were not of level n; and from v
** an older process leads to s.  So it is taken.  (Sleep sets, Godefroid, "Using
** partial orders to improve automatic verification methods", CAV 1990; they are
** those of one step only, so that they need not be kept with a state, nor be
** made smaller when it is met again.)
**
** All successors are still generated, counted and judged; those of processes
** that are asleep are not looked up in the store.  What a process uses and
** writes is told by native code, for all that it may do where it is
** (program/emit/emit_touch.c); so what it can do in w is what it can do in u. */

#ifndef NUT_SEARCH_LEVELS_ASLEEP_H
#define NUT_SEARCH_LEVELS_ASLEEP_H

#include "program/program.h"

enum { ASLEEP_MOST = 16 }; /* processes that may be */

static inline bool asleep_is(uint32_t asleep, uint32_t process)
{
  return process < ASLEEP_MOST && asleep >> process & 1;
}

/* Who is asleep in successor 'index', which is new.  Those of younger processes
** stand before it, but for those of longer sequences, which touch everything. */
static inline uint16_t asleep_behind(const batch *b, uint32_t index)
{
  const successor *t = b->list.data, *end = t + index;
  const process_touch *touches = b->touches.data;
  uint32_t asleep = 0, q = end->process;
  if (!b->touched || !touches || q >= ASLEEP_MOST || !~touches[q].writes)
    return 0;
  while (t->process >= ASLEEP_MOST)
    t++;
  uint64_t uses = touches[q].uses, writes = touches[q].writes;
  for (; t < end; t++) {
    const process_touch *p = &touches[t->process];
    bool apart = !((p->writes & uses) | (writes & p->uses));
    asleep |= (uint32_t)apart << t->process;
  }
  return (uint16_t)(asleep & ~UINT32_C(1) << q);
}

#endif
