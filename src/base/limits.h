/* One clock and one budget for a command: how long it may take, how much memory
** it may have, and who may stop it.
**
** Limits are made once, when a command begins, and every phase works under
** them: preprocessors, loading, translation, searches, sets, graphs, traces,
** drawings.  So there is one clock, and memory counts wherever it went.
**
**   limits l;
**   limits_start(&l, &(limits_asked){.seconds = 60, .memory_bytes = 1 << 30});
**   mem_budget *outer = limits_enter(&l);   this thread works under them
**   ...                                     mem_protect, limits_poll
**   limits_leave(outer);
**
** Time is looked at in two ways.  A loop that can end by itself asks
** 'limits_poll' and ends when it says so.  Everything else (parsers,
** translations) is left by its protected call, as when memory runs out, because
** 'mem_alloc' and 'mem_poll' look at the clock, too; 'limits_why' then tells
** what it was.
**
** Memory is counted, not measured: what is about to be taken is asked for
** first.  With 'memory_bytes' the answer depends on the run alone, so that it
** is the same each time.  Without, what the machine and its control groups have
** left is looked at again as the run grows, and a twentieth stays free; so it
** is where more was asked for than there is.
**
** Reports are made after 'limits_close': nothing is refused any more. */

#ifndef NUT_BASE_LIMITS_H
#define NUT_BASE_LIMITS_H

#include "base/alloc.h"
#include "base/verdict.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the program itself needs, whatever the model: code, stack, libraries; and
** how much less it is once pages of it were given back (base/system/settle.h). */
enum { LIMITS_PROGRAM_BYTES = 4 << 20, LIMITS_SETTLED_LESS = 1 << 20 };

typedef struct limits_asked {
  double seconds;                         /* 0: no limit */
  size_t memory_bytes;                    /* 0: what there is */
  const volatile sig_atomic_t *interrupt; /* not 0: stop; may be NULL */
  /* Progress is told when it is not 0, which is then set back; NULL: always. */
  volatile sig_atomic_t *tell;
} limits_asked;

typedef struct limits {
  mem_budget budget; /* first: it is what 'grant' and 'is_over' are given */
  limits_asked asked;
  double started, deadline; /* seconds of usage.h; 0: no deadline */
  double turn_end;          /* of a part of the work; 0: none */
  uint64_t last_look;       /* likewise, in looks; 0: none */
  reason reason;            /* what ended it: time or an interrupt */
  long long most;           /* bytes asked for, more than there are; or 0 */
  bool closed;
  bool polled; /* the work at hand asks by itself and is not left */
  bool is_settled;
  /* What is being moved to a larger place gets there though time is up: somebody
  ** will look at it (search/checkpoint). */
  bool keeps_tables;
  uint32_t polls_left;
  uint64_t looks; /* at the clock so far */
} limits;

enum { LIMITS_POLLS = 64 }; /* between two looks at the clock */

/* The clock starts. */
void limits_start(limits *, const limits_asked *);
/* It starts again for another command, with what is in use by now. */
void limits_restart(limits *, const limits_asked *);
/* The thread takes its memory from this budget; returns what 'limits_leave'
** puts back. */
mem_budget *limits_enter(limits *);
void limits_leave(mem_budget *outer);
/* From now on nothing is refused: what was found out is to be told.  Opened
** again, the limits are in force as before. */
void limits_close(limits *);
void limits_open(limits *);

static inline bool limits_interrupted(const limits *l)
{
  return l->asked.interrupt && *l->asked.interrupt;
}
/* Whether time is up or somebody has interrupted; changes nothing, so that any
** thread may ask.  Turns do not count. */
bool limits_are_due(const limits *);
/* Looks at the clock and for an interrupt: true when the work is to end. */
bool limits_reached(limits *);
/* The same, but only now and then; for every turn of a loop. */
static inline bool limits_poll(limits *l)
{
  if (--l->polls_left)
    return l->reason != REASON_NONE;
  l->polls_left = LIMITS_POLLS;
  return limits_reached(l);
}

/* The work that follows asks 'limits_poll' or 'limits_reached' often enough:
** it is not left in the middle.  Returns what was so before, to be put back. */
bool limits_set_polled(limits *, bool);

/* Whether somebody wants to hear of progress now. */
bool limits_wants_report(limits *);

/* Seconds since the start. */
double limits_seconds(const limits *);
/* Why work was left or something refused: time, an interrupt, or memory. */
reason limits_why(const limits *);
/* The reason when memory was refused. */
reason limits_memory_reason(const limits *);
/* Whether the limit of memory is below what the program needs for itself. */
bool limits_too_small(const limits *);
/* Bytes that may still be taken, as far as can be told. */
size_t limits_room(const limits *);
/* The program will go on for long: gives back what only its start needed, once,
** which counts as given back where it is known how much that is. */
void limits_settle(limits *);

/* A part of the work gets so many seconds of what is left; it ends as at a
** limit of time.  The end of the turn forgets that reason. */
void limits_begin_turn(limits *, double seconds);
/* The same with work in place of time: the turn ends after so many looks at the
** clock.  Engines look after a fixed amount of work, so that it is the same
** turn on every machine. */
void limits_begin_work(limits *, uint64_t looks);
void limits_end_turn(limits *);

#endif
