/* Runs another program to its end, under limits: m4, cpp, the C compiler, dot.
**
**        us                                the child, leader of a group
**   input, from memory ── anonymous file ──> 0
**   output   <──────────── pipe ──────────── 1
**   messages <──────────── pipe ──────────── 2
**   alive[1] ───────────── pipe ───────────> alive[0], inherited by all below
**
** There is no shell: words are words, whatever they contain.  Nothing but these
** four descriptors is inherited, signals are as a program expects to find them,
** and limits are set before the program begins.
**
** Nobody is left behind.  The child leads a process group of its own.  When the
** run ends, in whatever way, the whole group is killed.  When *we* end without
** a word (kill -9), the kernel closes alive[1], and by the settings of alive[0]
** (F_SETOWN, F_SETSIG, O_ASYNC) that sends SIGKILL to the group: the compiler,
** and what it started, however deep.  Unlike PR_SET_PDEATHSIG this does not
** depend on the thread that started it, and it reaches grandchildren.  Only who
** leaves the group (setsid) gets away.
**
** 'spawn_run' blocks its thread.  It asks 'stop' at least every 50 ms. */

#ifndef NUT_BASE_SYSTEM_SPAWN_H
#define NUT_BASE_SYSTEM_SPAWN_H

#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  SPAWN_DONE,    /* it ended by itself; see 'status' */
  SPAWN_MISSING, /* it is not installed */
  SPAWN_FAILED,  /* it could not be started, or was killed by somebody else */
  SPAWN_SLOW,    /* it worked or took longer than it may */
  SPAWN_LARGE,   /* it wrote more output than it may */
  SPAWN_STOPPED  /* 'stop' said so */
} spawn_result;

typedef struct spawn {
  /* What to run.  NULL ends the lists. */
  const char *const *arguments;   /* the first is looked for in $PATH */
  const char *program;            /* its path instead; may be NULL */
  const char *const *environment; /* NULL: ours */
  const int *folder;              /* where it works; NULL: where we do */
  const char *input;              /* NULL: nothing */
  size_t input_length;

  /* What it writes is added to these texts of the caller; NULL: it goes to
  ** /dev/null.  Messages beyond their limit are dropped. */
  text *output, *messages;
  size_t output_max, messages_max;

  /* What it may; 0: no limit of ours. */
  unsigned work_seconds;  /* of CPU, each process */
  unsigned clock_seconds; /* the whole run */
  size_t memory_max;      /* address space of each process */
  size_t file_max;        /* bytes of each file written */

  /* Whether to give up; NULL: never.  'wake', if there is one, is a descriptor:
  ** once it can be read, 'stop' is asked at once. */
  bool (*stop)(void *context);
  void *context;
  const int *wake;

  /* The answer. */
  int status; /* exit status, after SPAWN_DONE */
  int error;  /* errno, when it could not be started */
} spawn;

/* Fills in the answer.  When memory runs out the child is ended before the
** jump. */
spawn_result spawn_run(spawn *);
/* Signals as a program expects to find them: none is blocked, ignored or
** handled. */
bool spawn_forget_signals(void);

#endif
