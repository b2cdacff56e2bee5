/* What the files robdd*.c share; nobody else includes this.
**
**   nodes    flat, 16 bytes each, grown in place; node 0 is the terminal
**            +-----+------+------+-------+
**            | low | high | next | level |
**            +-----+------+------+-------+
**            'next' links the nodes of a bucket, or the free nodes
**   levels   for each level a hash table of its nodes (the unique table), so
**            that reordering finds the nodes of a level
**   cache    results of operations
**
** Always: every node below 'top' is either in the table of its level, once,
** or free (level LEVEL_FREE, in the list 'free'). */

#ifndef NUT_DD_ROBDD_ROBDD_INTERNAL_H
#define NUT_DD_ROBDD_ROBDD_INTERNAL_H

#include "base/alloc.h"
#include "base/system/reserve.h"
#include "dd/computed_table.h"
#include "dd/gc_roots.h"
#include "dd/robdd/robdd.h"

/* Edges have 31 bits, which leaves one for the kind of a cache entry. */
#define ROBDD_MOST_NODES ((uint32_t)1 << 30)

#define LEVEL_TERMINAL ((uint32_t)0x3fffffff)
#define LEVEL_FREE ((uint32_t)0x7fffffff)
#define NEXT_MARK ((uint32_t)1 << 31) /* added while collecting */

typedef struct robdd_node {
  uint32_t low, high; /* edges */
  uint32_t next;      /* index */
  uint32_t level;
} robdd_node;

_Static_assert(sizeof(robdd_node) == 16, "four to a cache line");

typedef struct robdd_level_table {
  uint32_t *buckets; /* indices of nodes, 0 for none */
  uint32_t shift;    /* 64 - binary logarithm of the number of buckets */
  uint32_t count;    /* nodes */
} robdd_level_table;

/* Arguments of the operation under way, protected like roots. */
enum { ROBDD_ARGUMENTS = 3 };

struct robdd_manager {
  robdd_node *nodes;
  robdd_level_table *levels;
  dd_cache cache;
  uint32_t free; /* first free node, 0 for none */
  uint32_t top;  /* all nodes from here on were never used */
  uint32_t room; /* 'top' may grow up to here without asking */
  uint32_t used; /* nodes in tables */
  uint32_t peak;
  uint32_t variables;
  uint32_t capacity; /* of the arrays per variable or level */
  uint32_t *level_of, *variable_at;
  uint32_t *group_of; /* by variable; 0 for none */
  uint32_t *path;     /* by level, scratch */
  uint32_t groups;
  uint32_t next_key; /* of closures */
  robdd *slots;      /* protected: of closures under way (robdd_close.c) */
  size_t slot_count;
  /* Asked now and then during an operation, which 'true' ends. */
  bool (*impatient)(void *);
  void *impatient_context;
  uint32_t countdown; /* new nodes until it is asked again */
  bool ended;         /* the operation under way */
  bool sifts;         /* an exchange of levels must not fail */
  bool abandoned;     /* see robdd_is_abandoned */
  uint32_t moves;     /* nodes marked, swept or linked anew */
  unsigned held;
  unsigned garbage_percent;
  unsigned results_per_node; /* that the computed table has room for */
  uint32_t least_garbage;    /* nodes */
  bool reorders;             /* by itself */
  uint32_t collect_at, reorder_at;
  uint64_t collections, reorderings;
  size_t max_bytes, bucket_bytes;
  robdd arguments[ROBDD_ARGUMENTS];
  dd_roots roots;
  uint32_t *scratch; /* see robdd_list */
  size_t scratch_len, scratch_cap;
  reserve pool;
};

/* Operations with two functions and a number, and with three functions.  The
** kind is part of the key of the computed table; 0 is no kind. */
typedef enum {
  ROBDD_OP_NONE,
  ROBDD_OP_AND,
  ROBDD_OP_XOR,
  ROBDD_OP_EXISTS,
  ROBDD_OP_CLOSE,
} robdd_operation;

enum { ROBDD_OP_BITS = 4 };
#define ROBDD_OP_THREE                                                         \
  ((uint32_t)1 << 31) /* in a or b: the third word is a function */

/* ---- inline ------------------------------------------------------------ */

static inline const robdd_node *robdd_node_of(const robdd_manager *m, robdd f)
{
  return &m->nodes[f >> 1];
}

static inline uint32_t robdd_level(const robdd_manager *m, robdd f)
{
  return robdd_node_of(m, f)->level;
}

/* The cofactors of f with respect to 'level', which f may not have. */
static inline robdd robdd_low_at(const robdd_manager *m, robdd f,
                                 uint32_t level)
{
  const robdd_node *n = robdd_node_of(m, f);
  return n->level == level ? n->low ^ (f & 1) : f;
}

static inline robdd robdd_high_at(const robdd_manager *m, robdd f,
                                  uint32_t level)
{
  const robdd_node *n = robdd_node_of(m, f);
  return n->level == level ? n->high ^ (f & 1) : f;
}

static inline uint64_t robdd_hash(uint32_t low, uint32_t high)
{
  uint64_t key = (uint64_t)high << 32 | low;
  return (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The node (level, low, high), where low is regular and not high; the edge to
** it, or ROBDD_FULL. */
robdd robdd_find_or_add(robdd_manager *, uint32_t level, robdd low, robdd high);

/* The function that is 'low' where the variable of 'level' is 0, and 'high'
** elsewhere.  Elimination rule and normal form of complements are here. */
static inline robdd robdd_make(robdd_manager *m, uint32_t level, robdd low,
                               robdd high)
{
  if (low == high)
    return low;
  robdd flip = low & 1;
  robdd result = robdd_find_or_add(m, level, low ^ flip, high ^ flip);
  return result == ROBDD_FULL ? ROBDD_FULL : result ^ flip;
}

/* The parts of operations that call each other; none of them collects. */
robdd robdd_and_inner(robdd_manager *, robdd f, robdd g);
robdd robdd_exists_inner(robdd_manager *, robdd f, robdd cube);

static inline robdd robdd_or_inner(robdd_manager *m, robdd f, robdd g)
{
  robdd result = robdd_and_inner(m, f ^ 1, g ^ 1);
  return result == ROBDD_FULL ? ROBDD_FULL : result ^ 1;
}

/* Runs 'work' on f, g, h, all valid functions: before, collects or reorders if
** it is time to; when memory runs out, collects and tries once more. */
typedef robdd robdd_work(robdd_manager *, robdd f, robdd g, robdd h,
                         const void *context);
robdd robdd_run(robdd_manager *, robdd_work *, robdd f, robdd g, robdd h,
                const void *context);

/* Counts a node that is marked, swept or linked anew.  When time is up in the
** middle, such work is abandoned, for good: the functions there are can be
** read as before, but the unique table no longer finds every node.  Each
** operation from then on, and the one under way, answers ROBDD_FULL. */
static inline bool robdd_is_abandoned(robdd_manager *m)
{
  if (++m->moves % MEM_MOVES == 0 && !m->abandoned && !m->sifts)
    m->abandoned = mem_is_due();
  return m->abandoned;
}

/* False: the owner has had enough, and the operation ends. */
bool robdd_look(robdd_manager *);

/* Makes sure that 'count' nodes can be taken without failing. */
bool robdd_ensure_nodes(robdd_manager *, uint32_t count);
uint32_t robdd_take_node(robdd_manager *); /* 0: no memory */
void robdd_give_node(robdd_manager *, uint32_t index);
void robdd_link_node(robdd_manager *, uint32_t index);
void robdd_grow_level(robdd_manager *, robdd_level_table *);
void robdd_fit_cache(robdd_manager *); /* lets it grow with the nodes */
size_t robdd_bytes(const robdd_manager *);

/* Fills 'scratch' with the indices of the nodes reachable from the functions,
** each once, level by level, the terminal left out.  False: no memory. */
bool robdd_list(robdd_manager *, const robdd *functions, size_t count);

#endif
