/* 'pack+table' for searches that take other numbers for their states when they
** are told to: for each shape of states a set of codes (store/table/cells.h),
** which all have the same length.
**
** The number of a state is that of its plan and the hash of its code.  When a
** state comes that needs more bits than the plan of its shape has, there are
** two ways.  In the beginning all codes are rewritten
** (store/table/bits_codes.h), by which numbers change.  That happens in
** 'prepare' only; the search asks 'moved' after it, has the numbers it holds
** translated, and says 'forget'. Until then the old sets stay.  Later, when
** that would take too long, the shape gets a further plan with a set of its
** own, and the older ones stay in use for all states that fit them: a state has
** its code by the oldest plan that it fits.
**
** States that have no shape (see radix_find_shape) are in a table, as they are,
** and so are those whose code has the hash of another one, and those that fit
** no plan when there are too many; their numbers are those of the table. */

#ifndef NUT_STORE_TABLE_BITS_CELLS_H
#define NUT_STORE_TABLE_BITS_CELLS_H

#include "store/table/bits_codes.h"
#include "store/table/cells.h"
#include "store/table/table.h"

extern const store_class store_bits_cells;

enum { RADIX_CELLS_TOGETHER = 32, RADIX_CELLS_LATER = 40 };

_Static_assert(RADIX_SHAPES + RADIX_CELLS_LATER < 1 << (63 - CELLS_HASH_BITS),
               "a number has room for a plan and a hash");

/* A further plan of a shape; its number comes after those of the first ones. */
typedef struct bits_cells_later {
  cells set;
  bits_plan *plan;
  uint32_t shape;
  const bits_plan *older; /* the one before it */
  uint64_t *beyond;       /* see bits_beyond */
} bits_cells_later;

typedef struct bits_cells {
  bits_codes coding;
  cells *sets; /* of the first plan of each shape; perhaps not made yet */
  uint32_t set_room;
  uint32_t later_count;
  bits_cells_later *later; /* RADIX_CELLS_LATER, or NULL */
  table verbatim;
  uint64_t clashes; /* states in it that have a shape */
  uint64_t count;   /* of codes in the sets */
  size_t held;      /* bytes of them */
  size_t max_bytes;
  uint32_t hash_bits;    /* of numbers; fewer only in tests, as this: */
  uint64_t recoded_most; /* codes rewritten before further plans are made */
  uint32_t word_room;    /* of each code of a batch */
  uint64_t *words;       /* of the batch */
  /* What numbers are translated from: the sets and plans before codes were made
  ** again. */
  bool moved;
  uint32_t old_room;
  cells *old;
  bits_past old_plans;
} bits_cells;

/* A state on its way into its set. */
typedef struct bits_cells_probe {
  uint64_t hash;
  uint32_t start; /* of its code, in 'words' */
  uint32_t plan;  /* the number; 0: it is kept as it is */
} bits_cells_probe;

static inline bits_cells *bits_cells_of(store *s)
{
  return (bits_cells *)s;
}

/* Encodes up to RADIX_CELLS_TOGETHER states and makes room for them.  False: no
** memory. */
bool bits_cells_prepare(bits_cells *, const store_offer *, bits_cells_probe *,
                        uint32_t count);

/* The set of the plan with this number. */
static inline cells *bits_cells_set(const bits_cells *t, uint32_t plan)
{
  return plan <= RADIX_SHAPES ? &t->sets[plan - 1]
                              : &t->later[plan - RADIX_SHAPES - 1].set;
}

/* The lines of a long code come after those of the tags. */
static inline void bits_cells_approach(bits_cells *t, bits_cells_probe probe)
{
  if (probe.plan)
    cells_approach(bits_cells_set(t, probe.plan), probe.hash);
  else
    table_prefetch_string(&t->verbatim, probe.hash);
}

static inline store_handle bits_cells_number(uint32_t plan, uint64_t hash)
{
  return (store_handle)plan << CELLS_HASH_BITS | hash;
}

static inline uint32_t bits_cells_plan(store_handle number)
{
  return (uint32_t)(number >> CELLS_HASH_BITS);
}

static inline uint64_t bits_cells_hash(store_handle number)
{
  return number & ((UINT64_C(1) << CELLS_HASH_BITS) - 1);
}

/* For states whose code has the hash of another one, or had it once. */
store_result bits_cells_insert_clash(bits_cells *, const store_offer *,
                                     store_handle *number);
bool bits_cells_clashed(const bits_cells *, const store_offer *,
                        store_handle *number);

/* As 'insert' of the class, for a prepared state. */
static inline store_result bits_cells_insert(bits_cells *t,
                                             bits_cells_probe probe,
                                             const store_offer *offer,
                                             store_handle *number)
{
  if (!probe.plan)
    return table_insert(&t->verbatim, offer->state, offer->length, probe.hash,
                        number);
  cells *into = bits_cells_set(t, probe.plan);
  const uint64_t *words = t->words + probe.start;
  uint64_t place;
  *number = bits_cells_number(probe.plan, probe.hash);
  switch (cells_find(into, words, probe.hash, &place)) {
  case CELLS_FOUND:
    return STORE_SEEN;
  case CELLS_CLASH:
    return bits_cells_insert_clash(t, offer, number);
  case CELLS_ABSENT:
    break;
  }
  if (t->clashes && bits_cells_clashed(t, offer, number))
    return STORE_SEEN;
  cells_put(into, place, words, probe.hash);
  t->count++;
  return STORE_NEW;
}

static inline uint32_t bits_cells_max_length(const bits_cells *t)
{
  return t->coding.longest;
}

/* Says that the state with this number will be wanted soon. */
static inline void bits_cells_foresee(const bits_cells *t, store_handle number)
{
  uint32_t plan = bits_cells_plan(number);
  if (plan)
    cells_prefetch(bits_cells_set(t, plan), bits_cells_hash(number));
}

/* Loads the state with this number as a hand; valid until the next call for the
** same hand. */
const uint8_t *bits_cells_view(bits_cells *, store_handle, uint32_t hand,
                               uint8_t *out, uint32_t *length);

/* Whether numbers changed since 'forget' was called last; the new number of a
** state that had this one; and the end of that. */
static inline bool bits_cells_moved(const bits_cells *t)
{
  return t->moved;
}
store_handle bits_cells_translate(bits_cells *, store_handle);
void bits_cells_forget(bits_cells *);

#endif
