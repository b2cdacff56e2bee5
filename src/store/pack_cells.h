/* 'pack+table' for searches that take other numbers for their states when they
** are told to: for each shape of states a set of codes (store/cells.h), which all
** have the same length.
**
** The number of a state is that of its plan and the hash of its code.  When a
** state comes that needs more bits than the plan of its shape has, there are two
** ways.  In the beginning all codes are made anew (store/packing.h), by which
** numbers change.  That happens in 'prepare' only; the search asks 'moved' after
** it, has the numbers it holds translated, and says 'forget'.  Until then the old
** sets stay.  Later, when that would take too long, the shape gets a further plan
** with a set of its own, and the older ones stay in use for all states that fit
** them: a state has its code by the oldest plan that it fits.
**
** States that have no shape (see pack_find_shape) are in a table, as they are,
** and so are those whose code has the hash of another one, and those that fit no
** plan when there are too many; their numbers are those of the table. */

#ifndef NUT_STORE_PACK_CELLS_H
#define NUT_STORE_PACK_CELLS_H

#include "store/cells.h"
#include "store/packing.h"
#include "store/table.h"

extern const store_class store_pack_cells;

enum { PACK_CELLS_TOGETHER = 32, PACK_CELLS_LATER = 40 };

_Static_assert(PACK_SHAPES + PACK_CELLS_LATER < 1 << (63 - CELLS_HASH_BITS),
               "a number has room for a plan and a hash");

/* A further plan of a shape; its number comes after those of the first ones. */
typedef struct pack_cells_later {
  cells set;
  bitpack_plan *plan;
  uint32_t shape;
  const bitpack_plan *older; /* the one before it */
  uint64_t *beyond;          /* see bitpack_beyond */
} pack_cells_later;

typedef struct pack_cells {
  packing packing;
  cells *sets; /* of the first plan of each shape; perhaps not made yet */
  uint32_t set_room;
  uint32_t later_count;
  pack_cells_later *later; /* PACK_CELLS_LATER, or NULL */
  table verbatim;
  uint64_t clashes; /* states in it that have a shape */
  uint64_t count;   /* of codes in the sets */
  size_t held;      /* bytes of them */
  size_t max_bytes;
  uint32_t hash_bits;    /* of numbers; fewer only in tests, as this: */
  uint64_t recoded_most; /* codes made anew before further plans are made */
  uint32_t word_room; /* of each code of a batch */
  uint64_t *words;    /* of the batch */
  /* What numbers are translated from: the sets and plans before codes were made
  ** anew. */
  bool moved;
  uint32_t old_room;
  cells *old;
  bitpack_past old_plans;
} pack_cells;

/* A state on its way into its set. */
typedef struct pack_cells_probe {
  uint64_t hash;
  uint32_t start; /* of its code, in 'words' */
  uint32_t plan;  /* the number; 0: it is kept as it is */
} pack_cells_probe;

static inline pack_cells *pack_cells_of(store *s)
{
  return (pack_cells *)s;
}

/* Encodes up to PACK_CELLS_TOGETHER states and makes room for them.  False: no
** memory. */
bool pack_cells_prepare(pack_cells *, const store_offer *, pack_cells_probe *,
                        uint32_t count);

/* The set of the plan with this number. */
static inline cells *pack_cells_set(const pack_cells *t, uint32_t plan)
{
  return plan <= PACK_SHAPES ? &t->sets[plan - 1]
                             : &t->later[plan - PACK_SHAPES - 1].set;
}

/* The lines of a long code come after those of the tags. */
static inline void pack_cells_approach(pack_cells *t, pack_cells_probe probe)
{
  if (probe.plan)
    cells_approach(pack_cells_set(t, probe.plan), probe.hash);
  else
    table_prefetch_string(&t->verbatim, probe.hash);
}

static inline store_number pack_cells_number(uint32_t plan, uint64_t hash)
{
  return (store_number)plan << CELLS_HASH_BITS | hash;
}

static inline uint32_t pack_cells_plan(store_number number)
{
  return (uint32_t)(number >> CELLS_HASH_BITS);
}

static inline uint64_t pack_cells_hash(store_number number)
{
  return number & ((UINT64_C(1) << CELLS_HASH_BITS) - 1);
}

/* For states whose code has the hash of another one, or had it once. */
store_result pack_cells_insert_clash(pack_cells *, const store_offer *,
                                     store_number *number);
bool pack_cells_clashed(const pack_cells *, const store_offer *,
                        store_number *number);

/* As 'insert' of the class, for a prepared state. */
static inline store_result pack_cells_insert(pack_cells *t,
                                             pack_cells_probe probe,
                                             const store_offer *offer,
                                             store_number *number)
{
  if (!probe.plan)
    return table_insert(&t->verbatim, offer->state, offer->length, probe.hash,
                        number);
  cells *into = pack_cells_set(t, probe.plan);
  const uint64_t *words = t->words + probe.start;
  uint64_t place;
  *number = pack_cells_number(probe.plan, probe.hash);
  switch (cells_find(into, words, probe.hash, &place)) {
  case CELLS_FOUND:
    return STORE_SEEN;
  case CELLS_CLASH:
    return pack_cells_insert_clash(t, offer, number);
  case CELLS_ABSENT:
    break;
  }
  if (t->clashes && pack_cells_clashed(t, offer, number))
    return STORE_SEEN;
  cells_put(into, place, words, probe.hash);
  t->count++;
  return STORE_NEW;
}

static inline uint32_t pack_cells_max_length(const pack_cells *t)
{
  return t->packing.longest;
}

/* Says that the state with this number will be wanted soon. */
static inline void pack_cells_foresee(const pack_cells *t, store_number number)
{
  uint32_t plan = pack_cells_plan(number);
  if (plan)
    cells_prefetch(pack_cells_set(t, plan), pack_cells_hash(number));
}

/* Takes the state with this number to a hand; valid until the next call for the
** same hand. */
const uint8_t *pack_cells_view(pack_cells *, store_number, uint32_t hand,
                               uint8_t *out, uint32_t *length);

/* Whether numbers changed since 'forget' was called last; the new number of a
** state that had this one; and the end of that. */
static inline bool pack_cells_moved(const pack_cells *t)
{
  return t->moved;
}
store_number pack_cells_translate(pack_cells *, store_number);
void pack_cells_forget(pack_cells *);

#endif
