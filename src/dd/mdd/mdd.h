/* Multi-valued decision diagrams: sets of tuples of 32-bit numbers, one level
** per tuple element, equal suffixes stored once.
**
**   (0,1,5) (0,2,5) (3,1,5) (3,2,5) (3,2,6)
**
**          root [0 3]           a node is its arcs, sorted by value, each
**               /  \            leading to a node of the next level
**          [1 2]    [1 2]
**            \ \    /  \
**             [5]--+   [5 6]
**               \      / /
**                [unit]
**
** After Zheng, Price, Myers: Using decision diagrams to compactly represent
** the state space for explicit model checking.  In a manager of the kind
** MDD_RANGES arcs carry ranges lo..hi of values instead of single ones.
**
** The diagrams are quasi-reduced: no level is ever skipped.  To skip a level
** whose value does not matter one must know all values it can have, and ours
** are table numbers that are handed out as states are found.  The same is why
** arcs are sparse.  What a level is, is its distance from the unit, so sets of
** tuples of different lengths live side by side in a manager (relations, for
** example), but not in one set.
**
** Always: equal sets are equal numbers.  Every node has at least one arc;
** values are in ascending order and do not overlap; no arc leads to the empty
** set; neighbouring ranges with the same child are one range.
**
** Who keeps what: as with robdd.h.  A set lives as long as a count (mdd_ref)
** or a registered variable (mdd_protect) protects it; operations that make
** sets may collect before they begin, their arguments excepted.  An operation
** that finds no memory answers MDD_FULL after having collected and tried
** again; sets are as before.  Operations on MDD_FULL answer MDD_FULL.
**
** A manager is used by one thread at a time; there may be many managers. */

#ifndef NUT_DD_MDD_MDD_H
#define NUT_DD_MDD_MDD_H

#include "base/text/diagram_labels.h"
#include "dd/bignum.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t mdd;

#define MDD_EMPTY ((mdd)0) /* no tuple */
#define MDD_UNIT ((mdd)1)  /* the tuple of length 0 */
#define MDD_FULL UINT32_MAX

typedef enum { MDD_VALUES, MDD_RANGES } mdd_kind;

typedef struct mdd_manager mdd_manager;

/* ---- managers, keeping and collecting ---------------------------------- */

/* NULL when there is no memory.  'max_bytes' limits what the manager holds;
** SIZE_MAX for no limit. */
mdd_manager *mdd_create(mdd_kind, size_t max_bytes);
void mdd_destroy(mdd_manager *);

mdd mdd_ref(mdd_manager *, mdd); /* its argument, or MDD_FULL */
void mdd_unref(mdd_manager *, mdd);
/* Registers variables of the caller, which must hold valid sets (or MDD_FULL)
** at any time.  False: no memory. */
bool mdd_protect(mdd_manager *, const mdd *sets, size_t count);
void mdd_unprotect(mdd_manager *, const mdd *sets);
void mdd_hold(mdd_manager *); /* nothing is collected until released */
void mdd_release(mdd_manager *);
void mdd_collect(mdd_manager *); /* now; not while held */
/* How much, in percent of what survived the last collection, may be added
** before the next one happens by itself; 50 at first. */
void mdd_set_garbage(mdd_manager *, unsigned percent);
/* Garbage of so many words is left alone in any case; 131072 at first. */
void mdd_set_least_garbage(mdd_manager *, uint32_t words);
/* Forgets the results of operations and gives their memory back. */
void mdd_trim(mdd_manager *);
/* Likewise, and from now on there are so many bytes less for all.  May be
** called inside of operations, by what they ask. */
void mdd_shrink(mdd_manager *, size_t bytes);

/* ---- tuples ------------------------------------------------------------ */

mdd mdd_tuple(mdd_manager *, const uint32_t *tuple, uint32_t length);
bool mdd_contains(const mdd_manager *, mdd, const uint32_t *tuple,
                  uint32_t length);
/* Union with one tuple; the old set stays valid. */
mdd mdd_insert(mdd_manager *, mdd, const uint32_t *tuple, uint32_t length);

/* Adds a tuple to the set that the caller owns alone, changing it in place as
** far as it shares nothing: the canonical insertion of Gregoire and
** Zampunieris.  No garbage is left where it does.  The old value of '*set' is
** void afterwards, so it must be kept by mdd_protect or not at all; sets kept
** by mdd_ref are copied as far as needed.  Other sets do not change.
** On MDD_NO_ROOM nothing has changed. */
typedef enum { MDD_NEW, MDD_SEEN, MDD_NO_ROOM } mdd_outcome;
mdd_outcome mdd_add(mdd_manager *, mdd *set, const uint32_t *tuple,
                    uint32_t length);

/* ---- sets -------------------------------------------------------------- */

mdd mdd_union(mdd_manager *, mdd, mdd);
mdd mdd_intersect(mdd_manager *, mdd, mdd);
mdd mdd_minus(mdd_manager *, mdd, mdd);

/* How a relation or a projection touches the levels of a set.  A relation is
** itself a set of tuples, which have, level by level,
**
**   MDD_SKIP         nothing: the value may be any and stays
**   MDD_READ         the value it must be; it stays
**   MDD_WRITE        the value it becomes, whatever it was
**   MDD_READ_WRITE   the value it must be, then the value it becomes
**
** Levels behind the last one described are skipped. */
typedef enum { MDD_SKIP, MDD_READ, MDD_WRITE, MDD_READ_WRITE } mdd_touch;
typedef struct mdd_shape mdd_shape;
/* NULL: no memory.  Shapes are destroyed before their manager. */
mdd_shape *mdd_shape_create(mdd_manager *, const mdd_touch *, uint32_t levels);
void mdd_shape_destroy(mdd_shape *);

/* What the relation leads to from the tuples of a set.  The relation's first
** level belongs to 'level' of the shape, the set's too: at 0 the set holds
** whole tuples; saturation works on sets that begin at a deeper level. */
mdd mdd_image(mdd_manager *, mdd set, mdd relation, const mdd_shape *,
              uint32_t level);
/* The tuples from which the relation leads into the set.  The shape has no
** MDD_WRITE, for which the values before would have to be known. */
mdd mdd_preimage(mdd_manager *, mdd set, mdd relation, const mdd_shape *,
                 uint32_t level);
/* The tuples cut down to the levels that the shape has as MDD_READ; the others
** must be MDD_SKIP.  Levels behind the last one described are cut off. */
mdd mdd_project(mdd_manager *, mdd set, const mdd_shape *);

/* ---- nodes, for operations of one's own -------------------------------- */

typedef struct mdd_arc {
  uint32_t lo, hi; /* equal in a manager of the kind MDD_VALUES */
  mdd child;
} mdd_arc;

/* For tests; not of unit and empty. */
uint32_t mdd_arcs(const mdd_manager *, mdd);
mdd_arc mdd_arc_at(const mdd_manager *, mdd, uint32_t i);
/* The child for a value, or MDD_EMPTY. */
mdd mdd_child(const mdd_manager *, mdd node, uint32_t value);
/* The set with these arcs, which must be in order; arcs to the empty set are
** left out, neighbours united.  Never collects: children need no protection.
** MDD_FULL when there is no memory. */
mdd mdd_node(mdd_manager *, const mdd_arc *, uint32_t count);

/* ---- reading ----------------------------------------------------------- */

/* Length of the tuples; 0 for the empty set. */
uint32_t mdd_levels(const mdd_manager *, mdd);
/* False: no memory. */
bool mdd_count(const mdd_manager *, mdd, bignum *count);
typedef struct mdd_sizes {
  size_t nodes, arcs; /* reachable; unit and empty are no nodes */
  size_t bytes;       /* that they take in memory */
} mdd_sizes;
bool mdd_size(const mdd_manager *, const mdd *sets, size_t count, mdd_sizes *);

/* Enumeration in ascending order.  'first' answers false when the set is
** empty; 'next' goes on from the tuple given, which must be in the set, and
** answers false at the end. */
bool mdd_first(const mdd_manager *, mdd, uint32_t *tuple);
bool mdd_next(const mdd_manager *, mdd, uint32_t *tuple, uint32_t length);

/* ---- figures, pictures, self-check ------------------------------------- */

typedef struct mdd_statistics {
  size_t nodes; /* now, garbage included */
  size_t peak_nodes;
  size_t bytes; /* that the manager holds */
  uint64_t collections;
} mdd_statistics;
mdd_statistics mdd_figures(const mdd_manager *);

/* The sets' diagram in the language of Graphviz.  Without names sets have
** their places as names, and empty ones are left out.  Labels may be NULL; with
** them all sets must have tuples of one length for each place in the list.
** False: no memory.  May leave by the memory guard (base/alloc.h); nothing of the
** diagram is lost then. */
bool mdd_dot(mdd_manager *, const mdd *sets, const char *const *names,
             size_t count, const diagram_labels *labels, text *out);
/* Walks everything; answers what is wrong, or NULL. */
const char *mdd_check(const mdd_manager *);

#endif
