/* The store 'pack+table': of every number the bits that vary (codec/bitpack.h),
** in a table.
**
** While no state comes that needs more bits, all codes of a shape have one
** length, and in a fixed layout so have all: the table then needs no index.
** When one comes, all codes are made anew (store/packing.h), which keeps their
** numbers: strings stay in the order of their arrival.
**
** Numbers are dense and never change.  Searches that need neither use the same
** codes in another set, which is quicker: 'store/pack_cells.h'. */

#ifndef NUT_STORE_PACK_TABLE_H
#define NUT_STORE_PACK_TABLE_H

#include "codec/number.h"
#include "store/packing.h"
#include "store/table.h"

extern const store_class store_pack_table;

typedef struct pack_table {
  packing packing;
  table table;
  size_t max_bytes;
  uint32_t most;      /* bytes that the code of a state needs at most */
  uint32_t code_room; /* bytes of 'codes' */
  uint8_t *codes;     /* of a batch, 'most' bytes each */
} pack_table;

/* A state on its way into the table. */
typedef struct pack_table_probe {
  uint64_t hash;
  uint32_t start, length; /* of its code */
} pack_table_probe;

enum { PACK_TABLE_TOGETHER = 32 };

static inline pack_table *pack_table_of(store *s)
{
  return (pack_table *)s;
}

/* Encodes up to PACK_TABLE_TOGETHER states.  False: no memory. */
bool pack_table_prepare(pack_table *, const store_offer *, pack_table_probe *,
                        uint32_t count);

static inline void pack_table_approach(pack_table *t, pack_table_probe probe)
{
  table_prefetch_string(&t->table, probe.hash);
}

/* As 'insert' of the class, for a prepared state. */
static inline store_result pack_table_insert(pack_table *t,
                                             pack_table_probe probe,
                                             const store_offer *offer,
                                             store_number *number)
{
  (void)offer;
  return table_insert(&t->table, t->codes + probe.start, probe.length,
                      probe.hash, number);
}

static inline uint32_t pack_table_max_length(const pack_table *t)
{
  return t->packing.longest;
}

/* Says that the state with this number will be wanted soon. */
static inline void pack_table_foresee(const pack_table *t, store_number number)
{
  if (!t->table.code_bytes)
    __builtin_prefetch(t->table.bytes.base + number * t->table.lengths[0]);
}

/* Takes the state with this number to a hand; valid until the next call for the
** same hand. */
const uint8_t *pack_table_view(pack_table *, store_number, uint32_t hand,
                               uint8_t *out, uint32_t *length);

#endif
