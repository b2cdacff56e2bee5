/* Who moves in a step to a successor: the process that begins it, whoever
** answers its rendezvous or joins its multicast, and those to whom an atomic
** sequence is handed on the way.  Fairness is about these.
**
** A successor tells who begins, and in 'others' who takes part besides: 0 when
** nobody does, one process by its number plus 1, or OTHERS_SEVERAL.  For
** several the interpreter is asked once more, with its steps recorded; they are
** rare.  In a synchronous model, where all move at once, nobody else is told. */

#ifndef NUT_PROGRAM_MOVERS_H
#define NUT_PROGRAM_MOVERS_H

#include "program/program.h"

enum { OTHERS_SEVERAL = 0xffff }; /* NUT_SEVERAL of native code */

/* What 'others' becomes when a process takes part as well. */
static inline uint16_t others_join(uint16_t others, uint32_t process)
{
  uint16_t one = (uint16_t)(process + 1);
  return !others || others == one ? one : OTHERS_SEVERAL;
}

enum { PROCESS_WORDS = 4 }; /* of 64 bits: a bit for each of 255 processes */

typedef struct process_set {
  uint64_t words[PROCESS_WORDS];
} process_set;

static inline void process_set_add(process_set *s, uint32_t process)
{
  s->words[process / 64] |= UINT64_C(1) << process % 64;
}

static inline bool process_set_has(const process_set *s, uint32_t process)
{
  return s->words[process / 64] >> process % 64 & 1;
}

/* The steps of one state, looked at one by one. */
typedef struct movers {
  worker *worker;
  batch recorded;   /* the same successors, with their steps, */
  bool is_recorded; /* once they were asked for */
} movers;

void movers_free(movers *);
/* Another state is at hand. */
static inline void movers_begin(movers *m, worker *by)
{
  m->worker = by;
  m->is_recorded = false;
}
/* Who moves to successor 'k' of the state at hand, as the program numbers
** them; 's' is that successor.  Ends the run for want of memory when the steps
** of the state cannot all be recorded. */
process_set movers_find(movers *, const uint8_t *state, uint32_t length,
                        const successor *s, size_t k);
/* The same of a batch with steps. */
process_set movers_recorded(const batch *, const successor *);

#endif
