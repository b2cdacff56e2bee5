/* Properties of infinite runs: a search for accepted runs of the product of
** the program with an observer (product.h), one property at a time.
**
** Two searches, each with every store:
**
**   nested   depth first, and from each accepting state, when it is left, a
**            second search for a way back to the path (nested.c)
**   scc      strongly connected components, with any number of marks and with
**            strong fairness; lassos are short (scc.c)
**
** What they find is a lasso: a path from the initial state and, unless a
** prefix is enough, a loop at its end.  It is replayed by the interpreter, and
** judged again from the states alone (lasso_trace.c), before anybody hears of
** it. */

#ifndef NUT_SEARCH_LIVENESS_LIVE_H
#define NUT_SEARCH_LIVENESS_LIVE_H

#include "search/liveness/number_map.h"
#include "search/liveness/path_index.h"
#include "search/liveness/product.h"
#include "search/search_internal.h"

#define LIVE_NO_LOOP SIZE_MAX

/* A path through the product: which successor of the program each step takes
** (PRODUCT_STAYS: none), and the number of steps before the loop. */
typedef struct live_path {
  VEC(uint32_t) steps;
  size_t loop;
} live_path;

/* A step from a frame that has not been looked at yet; the state of the
** program it leads to lies in live.bytes. */
typedef struct live_edge {
  size_t start;
  uint32_t length;
  product_edge edge;
} live_edge;

/* A state of the product on the path of a search. */
typedef struct live_frame {
  size_t start; /* of the state, in live.bytes */
  uint32_t length;
  uint32_t via;   /* successor of the frame below, or PRODUCT_STAYS */
  uint32_t index; /* components: order of discovery, from 1 */
  bool accepting;
  uint64_t hash;
  size_t first_edge, next_edge; /* in live.edges */
  process_set enabled;
} live_frame;

/* A component on the path of the search for components: its first state, what
** the steps inside it give, and what the step into it gave. */
typedef struct live_root {
  uint32_t index;
  bool has_loop;
  uint64_t marks, entering_marks;
  process_set turns, entering_turns;
} live_root;

#define LIVE_DONE UINT32_MAX /* index of a state in a finished component */

typedef struct live {
  watch watch;     /* with the store */
  shallow shallow; /* rounds beside it */
  search_result result;
  preview preview;
  bool claim_broken; /* as in a search: start over, and doubt the claims */
  search *asker;     /* the run this belongs to */
  const question *question;
  const property *property; /* what it says */
  property unfolded;        /* the same, when its claim has variables */
  observer observer;
  VEC(const expr *) seen; /* what it looks at, for the reduction */
  product product;
  nut_fair fairness;
  bool by_scc; /* which search: see above */
  /* At so many states a long search pauses, for others to tell whether there is
  ** anything to be found (runs.h); UINT64_MAX: it goes on to the end. */
  uint64_t pause_at;
  bool begun;
  struct runs *runs; /* those others; or NULL */
  bool may_use_disk; /* it suits them */
  bool asks_ranks;   /* others do the same, and were not asked how it ended */
  bool is_on_disk;   /* memory was used up: they go on with a disk */
  bool is_violated;  /* as they say, who cannot show a run */
  bool
      is_kept; /* with a checkpoint: they write what there is when the run ends */
  bool shortest;     /* a short lasso is worth some patience: */
  uint64_t patience; /* so many states may be seen; 0: none accepts yet */

  /* The path: states and, above each, what its successors are. */
  reserve bytes;
  size_t used;
  VEC(live_frame) frames;
  VEC(live_edge) edges;

  /* The search goes by handles of states (by_handle.h); NULL: by whole
  ** states. */
  struct by_handle *by_handle;

  /* With search_options.prefix: the states of the product that it is confined
  ** to, by fingerprint (prefix.c). */
  number_map near;

  /* Nested search: the frames of the first one, and the frame whose second
  ** search is under way (SIZE_MAX: none). */
  path_index cyan;
  size_t seed;

  /* Components: see scc.c. */
  number_map indices; /* by number of the state: index, or LIVE_DONE */
  VEC(store_handle) active;
  VEC(live_root) roots;
  store *twin; /* numbers states when the store cannot; or NULL */
  const store_class *twin_class;

  bool found;
  live_path path;
  trace *trace;
  trace_result traced;
} live;

/* ---- for the searches --------------------------------------------------- */

/* The identity of a frame's state, as stored. */
static inline const uint8_t *live_key(const live *l, const live_frame *f)
{
  return l->bytes.base + f->start + l->product.hidden;
}

static inline uint32_t live_key_length(const live *l, const live_frame *f)
{
  return f->length - l->product.hidden;
}

/* Room for so many bytes above 'used'; false: the run has ended. */
bool live_room(live *, size_t more);
/* Composes the state that an edge leads to, above 'used', as a frame that is
** not yet on the path.  False as above. */
bool live_compose(live *, const live_edge *, live_frame *next);
/* The initial state likewise. */
bool live_initial(live *, live_frame *first);
/* Puts the composed frame on the path and expands it.  False when the run ends
** here, also because the observer is sure ('found'). */
bool live_push(live *, const live_frame *);
void live_pop(live *);
/* Takes the edges of the top frame one by one and leaves it after the last,
** until the path is empty or one of the two says that it is over. */
static inline void live_walk(live *l, bool (*take)(live *, const live_edge *),
                             bool (*leave)(live *))
{
  while (l->frames.len) {
    live_frame *top = &vec_last(&l->frames);
    if (top->next_edge < l->edges.len) {
      live_edge e = l->edges.data[top->next_edge++];
      if (!take(l, &e))
        return;
    } else if (!leave(l)) {
      return;
    }
  }
}
/* After an expansion: false when the run ends here. */
bool live_goes_on(live *);
/* Stores the state of a frame in a colour; false: the run has ended. */
bool live_store(live *, const live_frame *, uint32_t colour, bool *fresh,
                store_handle *number);
/* The path of the frames is the lasso: it goes on with 'last' and then begins
** again at frame 'back' (LIVE_NO_LOOP: neither). */
void live_found(live *, const product_edge *last, size_t back);

/* The path of the search, as the steps of a lasso so far, and its last state.
** False: the run has ended. */
bool live_search_path(live *, live_frame *last);

/* live_reduce.c: gives the product a reduction, or the result the reason why
** there is none, where one was asked for in 'r'. */
void live_reduce(live *, search *r);

/* prefix.c: gathers the states that the search is confined to; false when there
** is nothing to be found among them.  Whether the composed frame is one of
** them, or the search is not confined. */
bool live_gather_prefix(live *);
bool live_is_near(const live *, const live_frame *);

void live_nested(live *);
void live_scc(live *);

/* Makes the trace of a lasso and judges it.  The answer is TRACE_IMPOSSIBLE
** when the interpreter cannot follow, or the lasso does not show what it
** should. */
trace_result lasso_trace(live *, worker *replayer, trace **made);
/* Judges a trace from its states alone: whether the observer's property is
** violated by what it shows, fairly.  TRACE_IMPOSSIBLE: it is not. */
trace_result lasso_judge(program *, worker *, observer *, nut_fair,
                         const trace *);

#endif
