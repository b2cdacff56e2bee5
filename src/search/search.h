/* Searches: walk the reachable states, in the order asked for, and tell what
** was found.
**
** One run checks all properties at once.  A run stops at a limit, when it was
** interrupted, after 'max_errors' errors, or when nothing is left to explore;
** only in the last case is it complete, and only a complete run over an exact
** store makes a property hold.  A property found violated stays violated. */

#ifndef NUT_SEARCH_SEARCH_H
#define NUT_SEARCH_SEARCH_H

#include "base/limits.h"
#include "base/ranks/ranks.h"
#include "base/vec.h"
#include "model/model.h"
#include "nutshell.h"
#include "program/program.h"
#include "reduce/reduce.h"
#include "search/statistics.h"
#include "search/trace/trace.h"
#include "store/store.h"
#include "verify/answer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what is asked ---------------------------------------------------- */

enum { SEARCH_GREATEST = 2 };

typedef struct search_options {
  nut_options asked; /* by the user; its limits are those of 'limits' */
  text *drawing;     /* gets a picture of it, if it has one; or NULL */
  const state_teller *teller; /* for names in it; or NULL */
  limits *limits;             /* of the whole command; NULL: none */
  /* Only the first so many states, level by level, and of products with
  ** automata likewise; 0: all. */
  uint64_t prefix;
  uint64_t first; /* states of a depth-first search before others; 0: a number
                  ** that suits */
  bool shallow; /* errors near the start are looked for beside it: shallow.h, */
  uint64_t deep; /* and by levels, depth first: states of the first such search,
                 ** deep.h; 0: a number that suits */
  /* States before which they are expanded one by one; later several together,
  ** which is quicker.  0: a number that leaves small searches simple. */
  uint64_t cohort_after;
  /* Expansions, depth first, after which a reduction must pay; 0: 625 by
  ** default, 10,000 where it was asked for by its name. */
  uint64_t reckon_after;
  /* States from which on several threads share a level; 0: a number for which
  ** that pays, and only large levels. */
  uint64_t share_after;
  uint64_t learn_at; /* see store_settings; 0: a number that suits */
  /* With a disk: store and frontier have so many bytes, whatever the limits say;
  ** 0: what these leave. */
  size_t disk_bytes;
  /* Without one: what is known may be kept in a denser form when memory is used
  ** up (search/disk/dense.c). */
  bool condenses;
  bool count; /* only count: observers, 'ltl' blocks and
                     ** expressions are left out, errors never stop */
  /* The program that traces are told of, where the one that is searched leaves
  ** something out (program_options.merge); NULL: they are the same. */
  program *plain;
  bool once; /* a violation decides its property as a witness does:
             ** the run ends when all are decided */
  /* A value that does not fit ends the run, whatever is checked: states after
  ** it would be wrong.  The caller may give it more room and start over. */
  bool stop_at_overflow;
  /* Shown every new state once, hidden bytes included; a reason ends the run.
  ** NULL: nobody wants to see them. */
  reason (*on_state)(void *context, const uint8_t *state, uint32_t length);
  /* The same for all states, when the walk by levels has ended, in any order and
  ** by several threads.  Each has a viewer for 'context', split from the state
  ** context by the thread that called, which joins it when all were shown. */
  void (*on_stored)(void *viewer, const uint8_t *state, uint32_t length);
  void *(*split_viewer)(void *state_context);
  void (*join_viewer)(void *state_context, const void *viewer);
  /* Behind that, numbers of the state context: how many, and where.  Of several
  ** ranks the greatest count. */
  uint32_t (*greatest)(void *state_context, uint64_t *list[SEARCH_GREATEST]);
  void *state_context;
  /* What is asked, of which the selected ones are answered as far as they are
  ** about steps, states and runs; NULL: what the model asks itself. */
  const questions *questions;
  double progress_seconds; /* between reports; 0: 0.5 */
  /* Where the search is kept on its way, which must go by levels, and the file it
  ** goes on from, behind its head: checkpoint/checkpoint.h; or NULL.  A file is
  ** trusted in nothing: does a place lie in the sources? */
  struct checkpoint *checkpoint;
  struct block_reader *resume;
  /* Names of its other parts, which further ranks have written. */
  const char *const *resume_parts;
  uint32_t resume_part_count;
  bool (*is_span)(void *span_context, span);
  void *span_context;
  /* Other processes that do the same search, which must go by levels; or NULL. */
  ranks *ranks;
} search_options;

/* Depth-first, default store, one error, no limits, no reduction. */
search_options search_defaults(void);

/* What the options ask for, where that is not said in so many words. */
reduce_kind search_reduction_of(const search_options *);
set_settings search_set_of(const search_options *);

/* ---- what is answered ------------------------------------------------- */

/* Infinite runs by levels (search/runs): properties that were found to hold so,
** iterations to a fixed point, and passes over all states; properties that were
** left to one thread because a loop was met on the way. */
typedef struct runs_figures {
  uint64_t told, iterations, sweeps, met;
} runs_figures;

/* What one thread did level by level, and how long it waited for the others: at
** the ends of levels, and while tables grew. */
typedef struct thread_figures {
  uint64_t expanded, states, transitions;
  double waited;
} thread_figures;

/* What was done when memory was used up (search/disk). */
typedef struct disk_figures {
  bool is_used;           /* there is a disk */
  bool is_memory;         /* which is none */
  bool is_dense;          /* there is none: runs stay in memory */
  uint64_t spilled_at;    /* states when the first went there; 0: none did */
  uint64_t spills;        /* how often the memory was emptied */
  uint32_t ranks;         /* of several, those that needed it */
  uint64_t renewals;      /* how often the tables were begun anew */
  uint64_t passes;        /* how often it was asked what is there */
  uint64_t merges;        /* of runs */
  uint64_t bytes;         /* there at the same time, at most */
  uint64_t read, written; /* bytes */
  int error;              /* a number of 'errno', which ended it; 0: none */
} disk_figures;
/* A search on several ranks: how many, and of the one that has most states how
** many these are; what this rank has sent, and waited for. */
typedef struct rank_figures {
  uint32_t count; /* 0: there are no others */
  uint64_t most_states;
  uint64_t messages, bytes; /* sent by all, */
  uint64_t sent;            /* and states in them, or steps to such */
  double rested;            /* seconds, the longest of all */
} rank_figures;

typedef struct search_result {
  verdict verdict;
  bool complete; /* everything reachable was explored */
  bool walked;   /* the states of the program were walked over, not only
                 ** products with automata: 'reached' says something */
  reason reason; /* why not complete, or why unknown */
  statistics stats;
  double seconds;
  const store_class *store;
  store_figures store_figures;
  nut_search order;
  reduce_kind por;         /* what was in use */
  const char *por_off;     /* asked for, and why it was not; or NULL */
  uint32_t threads;        /* in use */
  const char *threads_off; /* asked for, and why it was one; or NULL */
  nut_expected expected;   /* states in all, where a limit has ended the run */
  const char *not_resumed; /* what is wrong with the file; or NULL */
  const char *not_kept; /* why some search for infinite runs is not; or NULL */
  rank_figures ranks;
  runs_figures runs;
  disk_figures disk;
  VEC(thread_figures) team; /* by thread; empty: not by levels */
  uint64_t growths;         /* while all threads stood still, */
  double growing;           /* for so many seconds */
  answer_list answers;
  questions own;        /* where nobody asked: those of the model */
  arena *arena;         /* of these; or NULL */
  VEC(uint8_t) reached; /* a byte per edge of the model: was executed */
  /* How often each edge was executed by the walk over the states; empty unless
  ** 'coverage' was asked for. */
  VEC(uint64_t) executed;
  /* Some process did not come out of an atomic sequence or d_step: the last
  ** edge it executed, and its number.  'endless': it never does. */
  bool stuck, endless;
  uint32_t stuck_edge, stuck_process;
  span outgrown;   /* REASON_OUTGROWN: where */
  trace *overflow; /* and how it came to that, or NULL */
} search_result;

/* Always fills '*result', also when memory runs out at once. */
void search_run(program *, const search_options *, search_result *result);
void search_result_free(search_result *);

static inline bool search_edge_reached(const search_result *r, uint32_t index)
{
  return index < r->reached.len && r->reached.data[index];
}

#endif
