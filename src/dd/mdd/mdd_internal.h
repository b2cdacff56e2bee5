/* What the files mdd*.c share; nobody else includes this.
**
** Nodes are blocks of words in one flat array that grows in place; a set is
** the number of its node's first word.
**
**   word  0      number of arcs, and flags
**         1      next node of the bucket
**         2      hash: the sum of the hashes of the arcs
**         3 ...  arcs: value, child          in a manager of values
**                      lo, hi, child         in a manager of ranges
**
** A block has room for 'mdd_capacity(arcs)' arcs.  A free block has its size
** in words in word 0, with the flag, and the next one of its bin in word 1;
** those too small for a node are in no bin and wait for their neighbours.
**
** Always: the blocks fill the array up to 'top' without gaps.  Every block
** that is not free is in the unique table, once, and no two have equal arcs.
** A node with the flag OWNED has at most one reference: an arc of any node, or
** a variable of the caller.  There are such nodes only while 'owning', which
** operations other than mdd_add bring to an end.
**
** Hashes are sums so that a change of one arc changes them in one step. */

#ifndef NUT_DD_MDD_MDD_INTERNAL_H
#define NUT_DD_MDD_MDD_INTERNAL_H

#include "base/alloc.h"
#include "base/system/reserve.h"
#include "dd/computed_table.h"
#include "dd/gc_roots.h"
#include "dd/mdd/mdd.h"

enum { MDD_HEADER = 3, MDD_BINS = 256, MDD_ARGUMENTS = 2 };

#define MDD_FLAG_MARK ((uint32_t)1 << 31) /* while collecting */
#define MDD_FLAG_OWNED ((uint32_t)1 << 30)
#define MDD_FLAG_FREE ((uint32_t)1 << 29)
#define MDD_COUNT_MASK (MDD_FLAG_FREE - 1)

struct mdd_manager {
  uint32_t *words;
  unsigned width; /* words of an arc: 2 or 3 */
  uint32_t top;   /* words in blocks */
  uint32_t room;  /* 'top' may grow up to here without asking */
  uint32_t used;  /* words in blocks that are not free */
  uint32_t nodes, peak;
  uint32_t *buckets;
  unsigned shift; /* 64 - binary logarithm of the number of buckets */
  dd_cache cache;
  uint32_t *stack; /* arcs of nodes being made */
  size_t stack_top, stack_room;
  uint32_t bins[MDD_BINS]; /* free blocks by the arcs they have room for */
  uint64_t filled[MDD_BINS / 64];
  uint32_t *path; /* scratch: nodes, by level */
  size_t path_cap;
  uint32_t next_shape;
  unsigned held, garbage_percent;
  uint32_t least_garbage; /* words */
  bool owning;
  bool abandoned; /* see mdd_is_abandoned */
  uint32_t
      moves;   /* nodes marked, swept or linked anew, for looks at the clock */
  bool closes; /* a system is there, which needs many more results */
  uint32_t collect_at;
  uint64_t collections;
  size_t max_bytes;
  mdd arguments[MDD_ARGUMENTS];
  dd_roots roots;
  uint32_t *scratch; /* see mdd_dot */
  size_t scratch_cap;
  reserve pool, stack_memory;
};

typedef enum {
  MDD_OP_NONE, /* keys of the computed table are not 0 0 0 */
  MDD_OP_UNION,
  MDD_OP_INTERSECT,
  MDD_OP_MINUS,
  MDD_OP_IMAGE,
  MDD_OP_PREIMAGE,
  MDD_OP_PROJECT,
  MDD_OP_SHIFT,   /* as an image */
  MDD_OP_UNSHIFT, /* as a preimage */
  MDD_OP_ENABLED,
  MDD_OP_CLOSE_SHIFT, /* as an image that is closed below */
  MDD_OP_CLOSE_IMAGE,
  MDD_OP_CLOSE,
} mdd_operation;

enum { MDD_OP_BITS = 4 };

struct mdd_shape {
  mdd_manager *manager;
  uint32_t id; /* of level 0; the next ones are those of the next levels */
  uint32_t levels;
  uint32_t end; /* behind the last level that is not skipped */
  mdd_touch touch[];
};

/* ---- inline ------------------------------------------------------------ */

static inline uint32_t mdd_arc_count(const mdd_manager *m, mdd node)
{
  return m->words[node] & MDD_COUNT_MASK;
}

static inline uint32_t *mdd_arc_words(const mdd_manager *m, mdd node)
{
  return m->words + node + MDD_HEADER;
}

/* The room given to 'count' arcs: steps of an eighth, so that a node which
** grows is seldom moved. */
static inline uint32_t mdd_capacity(uint32_t count)
{
  if (count <= 16)
    return count;
  uint32_t step = (uint32_t)1 << (28 - __builtin_clz(count - 1));
  return (count + step - 1) & ~(step - 1);
}

static inline uint32_t mdd_block_words(const mdd_manager *m, uint32_t count)
{
  return MDD_HEADER + mdd_capacity(count) * m->width;
}

static inline uint32_t mdd_hash_arc(uint32_t lo, uint32_t hi, mdd child)
{
  uint64_t x = (uint64_t)lo * UINT64_C(0x9e3779b97f4a7c15) +
               (uint64_t)(hi - lo) * UINT64_C(0xd6e8feb86659fd93) +
               (uint64_t)child * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (uint32_t)((x ^ x >> 29) * UINT64_C(0x9fb21c651e98df25) >> 32);
}

/* A walk over the arcs of a node, range by range, which may be taken in
** parts. */
typedef struct mdd_cursor {
  const uint32_t *at, *end;
  unsigned width;
  uint32_t lo, hi;
  mdd child;
} mdd_cursor;

static inline void mdd_cursor_load(mdd_cursor *c)
{
  if (c->at == c->end)
    return;
  c->lo = c->at[0];
  c->hi = c->at[c->width - 2]; /* the value itself where there are no ranges */
  c->child = c->at[c->width - 1];
}

static inline mdd_cursor mdd_cursor_start(const mdd_manager *m, mdd node)
{
  const uint32_t *arcs = mdd_arc_words(m, node);
  mdd_cursor c = {.at = arcs,
                  .end = arcs + (size_t)mdd_arc_count(m, node) * m->width,
                  .width = m->width};
  mdd_cursor_load(&c);
  return c;
}

static inline bool mdd_cursor_more(const mdd_cursor *c)
{
  return c->at < c->end;
}

static inline void mdd_cursor_next(mdd_cursor *c)
{
  c->at += c->width;
  mdd_cursor_load(c);
}

/* Leaves behind all values up to 'hi' of the current range. */
static inline void mdd_cursor_pass(mdd_cursor *c, uint32_t hi)
{
  if (c->hi == hi)
    mdd_cursor_next(c);
  else
    c->lo = hi + 1;
}

/* Brings two cursors to the next values that both have; the number of the last
** of them in '*hi'.  False when there are none. */
static inline bool mdd_cursor_meet(mdd_cursor *a, mdd_cursor *b, uint32_t *hi)
{
  while (mdd_cursor_more(a) && mdd_cursor_more(b)) {
    if (a->hi < b->lo) {
      mdd_cursor_next(a);
    } else if (b->hi < a->lo) {
      mdd_cursor_next(b);
    } else {
      if (a->lo < b->lo)
        a->lo = b->lo;
      else
        b->lo = a->lo;
      *hi = a->hi < b->hi ? a->hi : b->hi;
      return true;
    }
  }
  return false;
}

/* ---- nodes being made (mdd.c) ------------------------------------------ */

/* Puts an arc on the stack, above 'base', where the node being made starts.
** False: no memory. */
bool mdd_push(mdd_manager *, size_t base, uint32_t lo, uint32_t hi, mdd child);
bool mdd_stack_room(mdd_manager *, size_t words);
/* The node with the arcs above 'base', which are taken off; or MDD_FULL. */
mdd mdd_make(mdd_manager *, size_t base);
/* Takes the arcs off; the answer of an operation that failed. */
mdd mdd_give_up(mdd_manager *, size_t base);

/* The place of the first arc whose values do not all lie below 'value'. */
uint32_t mdd_search(const mdd_manager *, mdd node, uint32_t value);

/* ---- blocks and table (mdd_pool.c) ------------------------------------- */

/* Makes sure that 'words' can be taken at the end of the array. */
bool mdd_ensure_words(mdd_manager *, uint64_t words);
uint32_t mdd_take_block(mdd_manager *, uint32_t count); /* 0: no memory */
void mdd_give_block(mdd_manager *, mdd node);
void mdd_bin_block(mdd_manager *, uint32_t at, uint32_t words);
/* A node with these arcs, or 0. */
mdd mdd_find(const mdd_manager *, const uint32_t *arcs, uint32_t count,
             uint32_t hash);
uint32_t mdd_hash(const mdd_manager *, const uint32_t *arcs, uint32_t count);
void mdd_link(mdd_manager *, mdd node);
void mdd_unlink(mdd_manager *, mdd node);
size_t mdd_bytes(const mdd_manager *);
void mdd_fit_cache(mdd_manager *);

/* ---- running operations (mdd_collect.c) -------------------------------- */

/* Runs 'work': before, collects if it is time to; when memory runs out,
** collects and tries once more. */
typedef mdd mdd_work(mdd_manager *, mdd a, mdd b, const void *context);
mdd mdd_run(mdd_manager *, mdd_work *, mdd a, mdd b, const void *context);
void mdd_collect_if_due(mdd_manager *);
/* Counts a node that is marked, swept or linked anew.  When time is up in the
** middle, such work is abandoned, for good: the sets there are can be read as
** before, but the unique table no longer finds every node.  Each operation
** from then on, and the one under way, answers MDD_FULL. */
static inline bool mdd_is_abandoned(mdd_manager *m)
{
  if (++m->moves % MEM_MOVES == 0 && !m->abandoned)
    m->abandoned = mem_is_due();
  return m->abandoned;
}
/* Before references are added to nodes that already exist. */
void mdd_end_owning(mdd_manager *);

mdd mdd_union_inner(mdd_manager *, mdd, mdd);
/* As mdd_project, from a deeper level on. */
mdd mdd_project_from(mdd_manager *, mdd set, const mdd_shape *, uint32_t level);
/* Numbers for keys of the computed table, never used before, the first of them
** in '*first'; false: none are left. */
bool mdd_take_keys(mdd_manager *, uint32_t count, uint32_t *first);
bool mdd_path_room(mdd_manager *, uint32_t levels);

#endif
