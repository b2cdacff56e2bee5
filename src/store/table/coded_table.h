/* A table of codes, and the codes of a batch on their way into it: what the
** stores 'code_table' and 'bits_table' have in common. */

#ifndef NUT_STORE_TABLE_CODED_TABLE_H
#define NUT_STORE_TABLE_CODED_TABLE_H

#include "base/alloc.h"
#include "store/table/table.h"

typedef struct coded_table {
  table table;
  uint32_t most;      /* bytes that the code of a state needs at most */
  uint32_t code_room; /* bytes of 'codes' */
  uint8_t *codes;     /* of a batch, 'most' bytes each */
} coded_table;

/* A state on its way into the table. */
typedef struct coded_probe {
  uint64_t hash;
  uint32_t start, length; /* of its code */
} coded_probe;

enum { CODED_TOGETHER = 32 };

/* Room for codes of 'most' bytes; those that are there are lost.  False: no
** memory. */
static inline bool coded_make_room(coded_table *t, uint32_t most)
{
  uint32_t room = most * CODED_TOGETHER;
  uint8_t *codes = mem_try_resize(t->codes, t->code_room, room);
  if (!codes)
    return false;
  t->codes = codes;
  t->code_room = room;
  t->most = most;
  return true;
}

static inline void coded_destroy(coded_table *t)
{
  table_destroy(&t->table);
  mem_free(t->codes, t->code_room);
}

static inline size_t coded_bytes(const coded_table *t)
{
  return t->code_room + table_bytes(&t->table);
}

static inline void coded_approach(const coded_table *t, coded_probe probe)
{
  table_prefetch_string(&t->table, probe.hash);
}

static inline store_result coded_insert(coded_table *t, coded_probe probe,
                                        store_handle *number)
{
  return table_insert(&t->table, t->codes + probe.start, probe.length,
                      probe.hash, number);
}

/* Says that the state with this number will be wanted soon. */
static inline void coded_foresee(const coded_table *t, store_handle number)
{
  if (!t->table.code_bytes)
    __builtin_prefetch(t->table.bytes.base + number * t->table.lengths[0]);
}

#endif
