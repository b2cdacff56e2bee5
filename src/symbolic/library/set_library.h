/* What sets of states are made of.  A state is a tuple of numbers, one for
** each level; a set of tuples is a number that means something to its library:
**
**   mdd   multi-valued diagrams (dd/mdd/mdd.h): a level of the diagram per
**         level
**   bdd   binary diagrams (dd/robdd/robdd.h): a pair of variables per bit of a
**         level, its value now and its value after a step
**
** Exploration, figures and CTL know sets by this header alone, so that they
** are the same for all libraries.
**
** Always: equal sets are equal numbers, in every library.  A set lives as long
** as a count (set_ref) or a registered variable (set_protect) protects it;
** every function that makes sets may first collect what is not protected, its
** arguments excepted.  Without memory, or when it was ended, a function answers
** SET_FULL; so it does when an argument is SET_FULL.
**
** Steps are events, numbered from 0: shifts (see mdd_shift), or relations over
** the levels they touch, learned from the owner as short vectors turn up.  A
** short vector has the values of the touched levels, in their order. */

#ifndef NUT_SYMBOLIC_LIBRARY_SET_LIBRARY_H
#define NUT_SYMBOLIC_LIBRARY_SET_LIBRARY_H

#include "base/vec.h"
#include "dd/mdd/mdd_system.h"
#include "nutshell.h"

typedef uint32_t symbolic_set;

#define SET_EMPTY ((symbolic_set)0)
#define SET_FULL UINT32_MAX

const char *library_text(nut_base);

typedef VEC(uint32_t) value_list;

/* Where a short vector leads. */
typedef struct library_answer {
  uint32_t successors;
  /* For each of them the values of the levels that the event writes. */
  value_list after;
  /* A number of the owner's choosing, the same for vectors that have as much
  ** in common as he wants to know later (set_outcome). */
  uint32_t outcome;
} library_answer;

/* Fills in an answer, which is empty.  False ends the computation. */
typedef bool library_ask(void *context, uint32_t event, const uint32_t *vector,
                         library_answer *);

/* Vectors of an event that lead anywhere have this value at this place; false:
** nothing is known.  Others need not be asked about. */
typedef bool library_guard(void *context, uint32_t event, uint32_t *place,
                           uint32_t *value);

typedef struct library_options {
  size_t max_bytes;
  uint32_t levels;
  bool reorder; /* bdd: improves the order when the diagram has doubled */
  library_ask *ask;
  library_guard *guard;      /* may be NULL */
  bool (*impatient)(void *); /* asked now and then; true: it is ended */
  void *context;
} library_options;

typedef struct library_sizes {
  size_t nodes, peak_nodes; /* of all there is */
  size_t bytes;
  uint64_t reorderings;
} library_sizes;

typedef struct set_library set_library;
typedef struct set_cut set_cut;

typedef struct library_class {
  void (*destroy)(set_library *);
  bool (*add_shift)(set_library *, const mdd_shift *, uint32_t count);
  bool (*add_relation)(set_library *, const mdd_touch *);
  symbolic_set (*ref)(set_library *, symbolic_set);
  void (*unref)(set_library *, symbolic_set);
  bool (*protect)(set_library *, symbolic_set *, size_t count);
  symbolic_set (*tuple)(set_library *, const uint32_t *);
  bool (*first)(set_library *, symbolic_set, uint32_t *);
  symbolic_set (*unite)(set_library *, symbolic_set, symbolic_set);
  symbolic_set (*intersect)(set_library *, symbolic_set, symbolic_set);
  symbolic_set (*minus)(set_library *, symbolic_set, symbolic_set);
  symbolic_set (*image)(set_library *, uint32_t event, symbolic_set);
  symbolic_set (*preimage)(set_library *, uint32_t event, symbolic_set,
                           symbolic_set within);
  symbolic_set (*enabled)(set_library *, uint32_t event, symbolic_set);
  symbolic_set (*outcome)(set_library *, uint32_t event, uint32_t,
                          symbolic_set);
  symbolic_set (*close)(set_library *, symbolic_set);
  bool (*widen)(set_library *, bool *wider);
  bool (*outgrown)(const set_library *);
  symbolic_set (*between)(set_library *, symbolic_set, const int32_t *,
                          int64_t lo, int64_t hi);
  symbolic_set (*box)(set_library *, symbolic_set, const uint32_t *lo,
                      const uint32_t *hi);
  bool (*weigh)(set_library *, symbolic_set, const mdd_weights *, bignum *all,
                bignum *viewed);
  bool (*greatest)(set_library *, symbolic_set, const int32_t *, int64_t *);
  bool (*extremes)(set_library *, symbolic_set, uint32_t *, uint32_t *);
  bool (*count)(set_library *, symbolic_set, bignum *);
  bool (*nodes)(set_library *, symbolic_set, size_t *);
  library_sizes (*sizes)(const set_library *);
  void (*shrink)(set_library *, size_t bytes);
  set_cut *(*cut_create)(set_library *, const uint32_t *, uint32_t);
  void (*cut_destroy)(set_cut *);
  symbolic_set (*project)(set_cut *, symbolic_set);
  symbolic_set (*restrict_to)(set_cut *, symbolic_set, symbolic_set);
  symbolic_set (*insert)(set_cut *, symbolic_set, const uint32_t *);
  bool (*vector_first)(set_cut *, symbolic_set, uint32_t *);
  bool (*vector_next)(set_cut *, symbolic_set, uint32_t *);
} library_class;

/* Bases and cuts begin with these. */
struct set_library {
  const library_class *class;
};
struct set_cut {
  set_library *library;
};

/* ---- libraries ----------------------------------------------------------- */

/* NULL: no memory. */
set_library *library_create(nut_base, const library_options *);
set_library *mdd_base_create(const library_options *);
set_library *bdd_base_create(const library_options *);
void library_destroy(set_library *);

/* Add an event: shifts sorted by level, at least one; or how a relation touches
** each level, MDD_READ or MDD_READ_WRITE at least one of them.  False: no
** memory. */
bool library_add_shift(set_library *, const mdd_shift *, uint32_t count);
bool library_add_relation(set_library *, const mdd_touch *);

static inline library_sizes library_sizes_of(const set_library *b)
{
  return b->class->sizes(b);
}

/* Gives memory back, and does with so many bytes less from now on. */
static inline void library_shrink(set_library *b, size_t bytes)
{
  b->class->shrink(b, bytes);
}

/* ---- keeping ------------------------------------------------------------ */

/* Its argument, or SET_FULL. */
static inline symbolic_set set_ref(set_library *b, symbolic_set x)
{
  return b->class->ref(b, x);
}

static inline void set_unref(set_library *b, symbolic_set x)
{
  b->class->unref(b, x);
}

/* Registers variables of the caller until the library is destroyed; they hold
** valid sets, or SET_FULL, at any time.  False: no memory. */
static inline bool set_protect(set_library *b, symbolic_set *sets, size_t count)
{
  return b->class->protect(b, sets, count);
}

/* ---- sets --------------------------------------------------------------- */

static inline symbolic_set set_tuple(set_library *b, const uint32_t *tuple)
{
  return b->class->tuple(b, tuple);
}

/* One tuple of a set; false: there is none. */
static inline bool set_first(set_library *b, symbolic_set x, uint32_t *tuple)
{
  return b->class->first(b, x, tuple);
}

static inline symbolic_set set_union(set_library *b, symbolic_set x,
                                     symbolic_set y)
{
  return b->class->unite(b, x, y);
}

static inline symbolic_set set_intersect(set_library *b, symbolic_set x,
                                         symbolic_set y)
{
  return b->class->intersect(b, x, y);
}

static inline symbolic_set set_minus(set_library *b, symbolic_set x,
                                     symbolic_set y)
{
  return b->class->minus(b, x, y);
}

/* ---- events ------------------------------------------------------------- */

/* What an event leads to from the tuples of a set, which are learned first.
** Tuples with values for which a level has no room may be missing until
** 'set_widen' has made it. */
static inline symbolic_set set_image(set_library *b, uint32_t event,
                                     symbolic_set x)
{
  return b->class->image(b, event, x);
}

/* The tuples of 'within' from which the event leads into the set.  They must
** have been learned. */
static inline symbolic_set set_preimage(set_library *b, uint32_t event,
                                        symbolic_set x, symbolic_set within)
{
  return b->class->preimage(b, event, x, within);
}

/* The tuples of a set in which a shift event can happen. */
static inline symbolic_set set_enabled(set_library *b, uint32_t event,
                                       symbolic_set x)
{
  return b->class->enabled(b, event, x);
}

/* The tuples of a set from which a relation has this outcome. */
static inline symbolic_set set_outcome(set_library *b, uint32_t event,
                                       uint32_t outcome, symbolic_set x)
{
  return b->class->outcome(b, event, outcome, x);
}

/* The set and all that events lead to; with less, as 'set_image' has it. */
static inline symbolic_set set_close(set_library *b, symbolic_set x)
{
  return b->class->close(b, x);
}

/* Makes room for all values that have turned up; '*wider' tells whether any
** was missing, and then images can lead further.  Registered variables keep
** their sets; counted ones become void, so there must be none.  False: no
** memory. */
static inline bool set_widen(set_library *b, bool *wider)
{
  return b->class->widen(b, wider);
}

/* True once a value would have become too large for any level. */
static inline bool library_outgrown(const set_library *b)
{
  return b->class->outgrown(b);
}

/* ---- measures ----------------------------------------------------------- */

/* As mdd_between, mdd_greatest, mdd_extremes have it. */
static inline symbolic_set set_between(set_library *b, symbolic_set x,
                                       const int32_t *factors, int64_t lo,
                                       int64_t hi)
{
  return b->class->between(b, x, factors, lo, hi);
}

static inline bool set_greatest(set_library *b, symbolic_set x,
                                const int32_t *factors, int64_t *greatest)
{
  return b->class->greatest(b, x, factors, greatest);
}

static inline bool set_extremes(set_library *b, symbolic_set x, uint32_t *least,
                                uint32_t *most)
{
  return b->class->extremes(b, x, least, most);
}

/* As mdd_box and mdd_weigh have it; of multi-valued diagrams only. */
static inline symbolic_set set_box(set_library *b, symbolic_set x,
                                   const uint32_t *lo, const uint32_t *hi)
{
  return b->class->box(b, x, lo, hi);
}

static inline bool set_weigh(set_library *b, symbolic_set x,
                             const mdd_weights *w, bignum *all, bignum *viewed)
{
  return b->class->weigh(b, x, w, all, viewed);
}

/* False: no memory. */
static inline bool set_count(set_library *b, symbolic_set x, bignum *count)
{
  return b->class->count(b, x, count);
}

static inline bool set_nodes(set_library *b, symbolic_set x, size_t *nodes)
{
  return b->class->nodes(b, x, nodes);
}

/* ---- cuts: some of the levels, and sets of short vectors over them ------ */

/* The levels ascend; there is at least one.  NULL: no memory. */
static inline set_cut *cut_create(set_library *b, const uint32_t *levels,
                                  uint32_t count)
{
  return b->class->cut_create(b, levels, count);
}

static inline void cut_destroy(set_cut *c)
{
  if (c)
    c->library->class->cut_destroy(c);
}

/* The short vectors of the tuples of a set. */
static inline symbolic_set cut_project(set_cut *c, symbolic_set x)
{
  return c->library->class->project(c, x);
}

/* The tuples of a set whose short vectors are among these. */
static inline symbolic_set cut_restrict(set_cut *c, symbolic_set x,
                                        symbolic_set vectors)
{
  return c->library->class->restrict_to(c, x, vectors);
}

static inline symbolic_set cut_insert(set_cut *c, symbolic_set vectors,
                                      const uint32_t *vector)
{
  return c->library->class->insert(c, vectors, vector);
}

/* Enumeration of one set after the other; 'next' goes on from the vector it is
** given, which is the last one.  False at the end. */
static inline bool cut_first(set_cut *c, symbolic_set vectors, uint32_t *vector)
{
  return c->library->class->vector_first(c, vectors, vector);
}

static inline bool cut_next(set_cut *c, symbolic_set vectors, uint32_t *vector)
{
  return c->library->class->vector_next(c, vectors, vector);
}

#endif
