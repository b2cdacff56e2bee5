/* Reduced ordered binary decision diagrams with complement edges.
**
**   x ? y : !z            x          a 'robdd' is an edge: index of a node * 2,
**                     0 /   \ 1      + 1 when the function is complemented
**                      z     y
**                   0 /|1  0 |\ 1    drawn with one terminal, 0; 'o' marks a
**                    o |     | o     complement: 1 is the complement of 0
**                     [0]   [0]
**
** After Katoen's slides on symbolic model checking with ROBDDs: one shared
** diagram for all functions of a manager, a unique table with find-or-add, a
** computed table, ITE as the general operation (normal forms in robdd_ops.c).
** Complement edges and garbage collection follow Brace, Rudell, Bryant:
** Efficient implementation of a BDD package (1990); reordering follows Rudell:
** Dynamic variable ordering for ordered binary decision diagrams (1993).
**
** Always: equal functions are equal numbers.  Every node's low edge is
** regular, its two edges differ, and its children are on deeper levels.  A
** function is a complemented edge exactly when it is 1 where all variables
** are 0.
**
** Variables are numbered 0, 1, ...; levels are their places in the order.
**
** Who keeps what.  A function lives as long as something protects it: a count
** (robdd_ref), or a registered variable of the caller (robdd_protect) that
** holds it.  Every operation that makes nodes may first collect what nothing
** protects; its arguments are safe, all else unprotected is lost.  Between
** robdd_hold and robdd_release nothing is collected or reordered.
**
** Memory.  An operation that finds no memory answers ROBDD_FULL, after having
** collected and tried again; the manager stays usable.  Operations on
** ROBDD_FULL answer ROBDD_FULL, so that a chain of them needs one test.
**
** A manager is used by one thread at a time; there may be many managers. */

#ifndef NUT_DD_ROBDD_ROBDD_H
#define NUT_DD_ROBDD_ROBDD_H

#include "base/text/text.h"
#include "dd/bignum.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t robdd;

#define ROBDD_FALSE ((robdd)0)
#define ROBDD_TRUE ((robdd)1)
#define ROBDD_FULL UINT32_MAX

/* Instead of the value of a variable, where it does not matter. */
enum { ROBDD_ANY = 2 };

/* Recursion is as deep as there are levels; this many fit any usual stack. */
enum { ROBDD_MOST_VARIABLES = 1 << 14 };

typedef struct robdd_manager robdd_manager;

/* ---- managers and variables -------------------------------------------- */

/* NULL when there is no memory.  'max_bytes' limits what the manager holds;
** SIZE_MAX for no limit. */
robdd_manager *robdd_create(uint32_t variables, size_t max_bytes);
void robdd_destroy(robdd_manager *);
/* Adds variables at the end of the order.  False when there is no memory or
** there would be more than ROBDD_MOST_VARIABLES; then none is added. */
bool robdd_add_variables(robdd_manager *, uint32_t count);
/* Adds one variable, which gets the next number, at 'level' of the order; those
** from there on move down.  All functions stay what they are. */
bool robdd_insert_variable(robdd_manager *, uint32_t level);
uint32_t robdd_variables(const robdd_manager *);
uint32_t robdd_level_of(const robdd_manager *, uint32_t variable);

/* ---- keeping and collecting -------------------------------------------- */

robdd robdd_ref(robdd_manager *, robdd); /* its argument, or ROBDD_FULL */
void robdd_unref(robdd_manager *, robdd);
/* Registers variables of the caller, which must hold valid functions (or
** ROBDD_FULL) at any time.  False: no memory. */
bool robdd_protect(robdd_manager *, const robdd *functions, size_t count);
void robdd_unprotect(robdd_manager *, const robdd *functions);
void robdd_hold(robdd_manager *); /* may be nested */
void robdd_release(robdd_manager *);
void robdd_collect(robdd_manager *); /* now; not while held */
/* How many nodes, in percent of those that survived the last collection, may
** be added before the next one happens by itself; 100 at first.  For tests. */
void robdd_set_garbage(robdd_manager *, unsigned percent);
/* Garbage of so many nodes is left alone in any case; 32768 at first. */
void robdd_set_least_garbage(robdd_manager *, uint32_t nodes);
/* Results of operations that are remembered for each node; 1 at first. */
void robdd_set_results(robdd_manager *, unsigned per_node);
/* Forgets the results of operations and gives their memory back. */
void robdd_trim(robdd_manager *);
/* Likewise, and from now on there are so many bytes less for all.  May be
** called inside of operations, by what they ask. */
void robdd_shrink(robdd_manager *, size_t bytes);

/* Long operations ask now and then; true ends the one that asks, which answers
** ROBDD_FULL, or leaves off reordering. */
void robdd_set_patience(robdd_manager *, bool (*impatient)(void *),
                        void *context);

/* ---- building ---------------------------------------------------------- */

robdd robdd_variable(robdd_manager *, uint32_t variable);
/* Conjunction of 'count' literals: variables[i] when values[i] is not 0, its
** complement otherwise; all positive when 'values' is NULL. */
robdd robdd_cube(robdd_manager *, const uint32_t *variables,
                 const uint8_t *values, size_t count);
/* Disjunction of f with the assignment that gives every variable v the value
** values[v], without the detour over a cube.  Where that is ROBDD_ANY the
** assignment says nothing of v, on which f must not depend either. */
robdd robdd_add_assignment(robdd_manager *, robdd f, const uint8_t *values);

static inline robdd robdd_not(robdd f)
{
  return f == ROBDD_FULL ? f : f ^ 1;
}
/* f ? g : h; for tests, as the twin of the two below. */
robdd robdd_ite(robdd_manager *, robdd f, robdd g, robdd h);
robdd robdd_and(robdd_manager *, robdd f, robdd g);
robdd robdd_xor(robdd_manager *, robdd f, robdd g);
static inline robdd robdd_or(robdd_manager *m, robdd f, robdd g)
{
  return robdd_not(robdd_and(m, robdd_not(f), robdd_not(g)));
}
static inline robdd robdd_minus(robdd_manager *m, robdd f, robdd g)
{
  return robdd_and(m, f, robdd_not(g));
}
static inline robdd robdd_equiv(robdd_manager *m, robdd f, robdd g)
{
  return robdd_not(robdd_xor(m, f, g));
}

/* Variables to quantify are given as a cube of positive literals. */
robdd robdd_exists(robdd_manager *, robdd f, robdd variables);

/* ---- reading ----------------------------------------------------------- */

bool robdd_value(const robdd_manager *, robdd, const uint8_t *values);

/* Number of assignments to 'variables' variables that make f 1.  They must
** include those that f depends on.  False: no memory. */
bool robdd_count(const robdd_manager *, robdd f, uint32_t variables,
                 bignum *count);
/* Nodes reachable from the functions, the terminal not counted, or SIZE_MAX
** when there is no memory. */
size_t robdd_size(const robdd_manager *, const robdd *functions, size_t count);

/* Enumeration of disjoint cubes whose disjunction is f: values[v] becomes 0, 1
** or ROBDD_ANY.  'first' answers false when f is 0; 'next' goes on from what
** 'values' holds and answers false at the end.  The order of variables must
** not change in between. */
bool robdd_first_cube(const robdd_manager *, robdd f, uint8_t *values);
bool robdd_next_cube(const robdd_manager *, robdd f, uint8_t *values);

/* ---- order of variables ------------------------------------------------ */

/* Variables first .. first+count-1 must be neighbours now, in any order; they
** stay so, and keep their order among themselves.  No variable may be in two
** groups. */
void robdd_group(robdd_manager *, uint32_t first, uint32_t count);
/* Sifting.  All functions stay what they are.  False when memory ran out
** before it was finished; the order is then one of those in between. */
bool robdd_reorder(robdd_manager *);
/* Reorder by itself when the nodes have doubled since the last time. */
void robdd_auto_reorder(robdd_manager *, bool);
/* Exchanges the variables of 'level' and 'level' + 1, whatever the groups.  For
** tests. */
bool robdd_swap_levels(robdd_manager *, uint32_t level);

/* ---- figures, pictures, self-check ------------------------------------- */

typedef struct robdd_statistics {
  size_t nodes; /* now, garbage included, the terminal not */
  size_t peak_nodes;
  size_t bytes; /* that the manager holds */
  uint64_t collections, reorderings;
} robdd_statistics;
robdd_statistics robdd_figures(const robdd_manager *);

/* The functions' diagram in the language of Graphviz.  Names of variables
** and of functions may be NULL; without names functions that are false are left
** out.  False: no memory.  May leave by the memory
** guard (base/alloc.h); nothing is lost then. */
bool robdd_dot(robdd_manager *, const robdd *functions,
               const char *const *labels, size_t count,
               const char *const *variables, text *out);
/* Walks everything; answers what is wrong, or NULL. */
const char *robdd_check(const robdd_manager *);

#endif
