/* Searches for infinite runs over 'collapse+tree', the default store.
**
** There a state has a handle, the pair of numbers at its root, as soon as it is
** encoded and before it is stored.  So the path holds handles instead of
** states; a state is loaded by its handle, and its successors are
** encoded by what changed against it, all of them together, as in loop.inc.
**
** Whether a successor is known already, and whether it lies on the path, is
** asked right after the expansion: of the path nothing changes before the state
** is left, and who is known stays known.  Only successors that are new are kept
** to be visited; by then they may be known.
**
** When the store rebuilds its tree, handles change.  Those of stored states
** are translated.  Successors that wait are not stored; they are forgotten, and
** found again when their turn comes ('stale').
**
** Hidden variables do not belong to a handle, so models with some are searched
** with whole states (nested.c, scc.c), as with every other store. */

#ifndef NUT_SEARCH_LIVENESS_BY_HANDLE_H
#define NUT_SEARCH_LIVENESS_BY_HANDLE_H

#include "search/liveness/live.h"
#include "search/observer/observer_scc.h"
#include "store/tree/collapse_tree.h"

/* A step of the product. */
typedef struct by_handle_edge {
  store_handle handle; /* where it leads to */
  uint64_t marks;
  uint32_t via;    /* successor of the program, or PRODUCT_STAYS */
  uint32_t movers; /* see product_movers */
} by_handle_edge;

/* A step of the state just expanded. */
typedef struct by_handle_target {
  by_handle_edge edge;
  collapse_tree_probe probe;
  uint32_t place;
} by_handle_target;

/* A state on the path. */
typedef struct by_handle_frame {
  store_handle handle;
  /* Of those that wait, in by_handle.edges, the next one last. */
  size_t first_edge;
  uint32_t via;
  uint32_t scc;   /* of the observer */
  uint32_t index; /* scc.c: order of discovery, 0: of no interest */
  bool accepting;
  bool needs_second; /* a second search begins here */
  bool indexed;      /* in the index of the path */
  bool hit;          /* some step leads back to it */
  bool stale;
  bool cut; /* too deep: not expanded */
} by_handle_frame;

typedef struct by_handle {
  collapse_tree *tree;
  place_scc_list sccs;
  VEC(by_handle_frame) frames;
  VEC(by_handle_edge) edges;
  VEC(process_set) enabled; /* with fairness, by components: of each frame */
  VEC(by_handle_target) targets; /* the answer of 'by_handle_expand' */
  uint32_t place;                /* of the state expanded */
  bool accepting;                /* whether it is */
  VEC(uint8_t) bytes;            /* of successors on their way */

  /* The states on the path that were hit, by component of the observer. */
  VEC(uint32_t) hits;
  /* The index of the path, and what the second search has seen. */
  path_index cyan;
  roots red;
  size_t seed; /* frame of the second search; SIZE_MAX: the first goes on */
} by_handle;

/* Whether the search is to pause now. */
static inline bool by_handle_pauses(const live *l)
{
  return l->result.stats.states >= l->pause_at;
}

/* Whether the search can go by handles. */
bool by_handle_suits(const live *);
/* To be called once; false: the run has ended. */
bool by_handle_create(live *);
void by_handle_free(live *);
/* What is kept for good beside the store. */
size_t by_handle_bytes(const live *);

/* The handle of the initial state, which gets stored; false: the run has ended,
** also because the observer is sure. */
bool by_handle_initial(live *, store_handle *handle);
/* The handle of a state that is given by its bytes; it gets stored if it is
** new.  With a fixed layout no handles change by that.  False as above. */
bool by_handle_store(live *, const uint8_t *state, uint32_t length, bool *fresh,
                     store_handle *handle);
/* The state behind an edge becomes the top of the path. */
void by_handle_push(live *, store_handle handle, uint32_t via);
void by_handle_pop(live *);
/* Expands the top of the path: fills 'targets', and for a state that was not
** expanded before counts what there is.  False: the run has ended, or the
** observer is sure (live.found). */
bool by_handle_expand(live *, bool again);
/* Takes the next waiting step of the top frame; a state that is new gets
** stored. */
bool by_handle_take(live *, by_handle_edge *, bool *fresh);
/* Keeps a target of the top frame for later.  Those kept last are next. */
static inline void by_handle_keep(by_handle *w, const by_handle_target *t)
{
  vec_push(&w->edges, t->edge);
}
/* As live_found, with the last step of a loop. */
void by_handle_found(live *, const by_handle_edge *last, size_t back);

/* The same without a last step; and the state at the end of the path. */
bool by_handle_path(live *, live_frame *last);

/* The tree was rebuilt: each search translates what is its own. */
void by_handle_nested_moved(live *);
void by_handle_scc_moved(live *);

/* They go on where they paused. */
void by_handle_nested(live *);
void by_handle_scc(live *);

#endif
