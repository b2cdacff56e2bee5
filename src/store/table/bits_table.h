/* The store 'pack+table': of every number the bits that vary (codec/bits.h),
** in a table.
**
** While no state comes that needs more bits, all codes of a shape have one
** length, and in a fixed layout so have all: the table then needs no index.
** When one comes, all codes are rewritten (store/table/bits_codes.h), which
** keeps their numbers: strings stay in the order of their arrival.
**
** Numbers are dense and never change.  Searches that need neither use the same
** codes in another set, which is quicker: 'store/table/bits_cells.h'. */

#ifndef NUT_STORE_TABLE_BITS_TABLE_H
#define NUT_STORE_TABLE_BITS_TABLE_H

#include "codec/number.h"
#include "store/table/bits_codes.h"
#include "store/table/coded_table.h"

extern const store_class store_bits_table;

typedef struct bits_table {
  bits_codes coding;
  coded_table coded;
  size_t max_bytes;
} bits_table;

typedef coded_probe bits_table_probe;

static inline bits_table *bits_table_of(store *s)
{
  return (bits_table *)s;
}

/* Encodes up to CODED_TOGETHER states.  False: no memory. */
bool bits_table_prepare(bits_table *, const store_offer *, bits_table_probe *,
                        uint32_t count);

static inline void bits_table_approach(bits_table *t, bits_table_probe probe)
{
  coded_approach(&t->coded, probe);
}

/* As 'insert' of the class, for a prepared state. */
static inline store_result bits_table_insert(bits_table *t,
                                             bits_table_probe probe,
                                             const store_offer *offer,
                                             store_handle *number)
{
  (void)offer;
  return coded_insert(&t->coded, probe, number);
}

static inline uint32_t bits_table_max_length(const bits_table *t)
{
  return t->coding.longest;
}

static inline void bits_table_foresee(const bits_table *t, store_handle number)
{
  coded_foresee(&t->coded, number);
}

/* Loads the state with this number as a hand; valid until the next call for the
** same hand. */
const uint8_t *bits_table_view(bits_table *, store_handle, uint32_t hand,
                               uint8_t *out, uint32_t *length);

#endif
