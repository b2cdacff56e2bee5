/* Searches for infinite runs over 'collapse+tree', the default store.
**
** There a state has a name, the pair of numbers at its root, as soon as it is
** encoded and before it is stored.  So the path holds names instead of states;
** a state is taken to hand by its name, and its successors are encoded by what
** changed against it, all of them together, as in loop.inc.
**
** Whether a successor is known already, and whether it lies on the path, is
** asked right after the expansion: of the path nothing changes before the state
** is left, and who is known stays known.  Only successors that are new are kept
** to be visited; by then they may be known.
**
** When the store makes its tree anew, names change.  Those of stored states are
** translated.  Successors that wait are not stored; they are forgotten, and
** found again when their turn comes ('stale').
**
** Hidden variables do not belong to a name, so models with some are searched
** with whole states (nested.c, components.c), as with every other store. */

#ifndef NUT_SEARCH_NAMED_H
#define NUT_SEARCH_NAMED_H

#include "search/live.h"
#include "search/parts.h"
#include "store/tree/collapse_tree.h"

/* A step of the product. */
typedef struct named_edge {
  store_handle name; /* where it leads to */
  uint64_t marks;
  uint32_t via; /* successor of the program, or PRODUCT_STAYS */
  uint32_t process;
} named_edge;

/* A step of the state just expanded. */
typedef struct named_target {
  named_edge edge;
  collapse_tree_probe probe;
  uint32_t place;
} named_target;

/* A state on the path. */
typedef struct named_frame {
  store_handle name;
  size_t first_edge; /* of those that wait, in named.edges, the next one last */
  uint32_t via;
  uint32_t component; /* of the observer */
  uint32_t index;     /* components.c: order of discovery, 0: of no interest */
  bool accepting;
  bool needs_second; /* a second search begins here */
  bool indexed;      /* in the index of the path */
  bool hit;          /* some step leads back to it */
  bool stale;
  bool cut; /* too deep: not expanded */
} named_frame;

typedef struct named {
  collapse_tree *tree;
  part_list parts;
  VEC(named_frame) frames;
  VEC(named_edge) edges;
  VEC(process_set) enabled;  /* with fairness, by components: of each frame */
  VEC(named_target) targets; /* the answer of 'named_expand' */
  uint32_t place;            /* of the state expanded */
  bool accepting;            /* whether it is */
  VEC(uint8_t) bytes;        /* of successors on their way */

  /* The states on the path that were hit, by component of the observer. */
  VEC(uint32_t) hits;
  /* The index of the path, and what the second search has seen. */
  path_index cyan;
  roots red;
  size_t seed; /* frame of the second search; SIZE_MAX: the first goes on */
} named;

/* Whether the search can go by names. */
bool named_suits(const live *);
/* To be called once; false: the run has ended. */
bool named_create(live *);
void named_free(live *);
/* What is kept for good beside the store. */
size_t named_bytes(const live *);

/* The name of the initial state, which gets stored; false: the run has ended,
** also because the observer is sure. */
bool named_initial(live *, store_handle *name);
/* The name of a state that is given by its bytes; it gets stored if it is new.
** With a fixed layout no names change by that.  False as above. */
bool named_store(live *, const uint8_t *state, uint32_t length, bool *fresh,
                 store_handle *name);
/* The state behind an edge becomes the top of the path. */
void named_push(live *, store_handle name, uint32_t via);
void named_pop(live *);
/* Expands the top of the path: fills 'targets', and for a state that was not
** expanded before counts what there is.  False: the run has ended, or the
** observer is sure (live.found). */
bool named_expand(live *, bool again);
/* Takes the next waiting step of the top frame; a state that is new gets
** stored. */
bool named_take(live *, named_edge *, bool *fresh);
/* Keeps a target of the top frame for later.  Those kept last are next. */
static inline void named_keep(named *w, const named_target *t)
{
  vec_push(&w->edges, t->edge);
}
/* As live_found, with the last step of a loop. */
void named_found(live *, const named_edge *last, size_t back);

/* The same without a last step; and the state at the end of the path. */
bool named_path(live *, live_frame *last);

/* The tree was made anew: each search translates what is its own. */
void named_nested_moved(live *);
void named_components_moved(live *);

void named_nested(live *);
void named_components(live *);

#endif
