/* The store 'raw+table': states as they are, in a table.
**
** Two faces.  The class 'store_raw_table' serves set-up, tests and cold paths;
** the inline functions serve the hot loop, which asks in three rounds over a
** batch of successors: 'prepare' each, 'approach' each, then 'insert' each, so
** that the memory fetches of all of them overlap. */

#ifndef NUT_STORE_RAW_TABLE_H
#define NUT_STORE_RAW_TABLE_H

#include "codec/raw.h"
#include "store/table.h"

typedef table raw_table;
typedef uint64_t raw_table_probe; /* what 'prepare' learnt about a state */

extern const store_class store_raw_table;

static inline raw_table *raw_table_of(store *s)
{
  return (raw_table *)s;
}

static inline raw_table_probe raw_table_prepare(raw_table *t,
                                                const uint8_t *state,
                                                uint32_t length,
                                                uint64_t changed)
{
  (void)changed;
  raw_code code = raw_encode(state, length);
  uint64_t hash = table_hash(code.bytes, code.length);
  table_prefetch(t, hash);
  return hash;
}

static inline void raw_table_approach(raw_table *t, raw_table_probe probe)
{
  table_prefetch_string(t, probe);
}

/* As 'insert' of the class. */
static inline store_result
raw_table_insert(raw_table *t, raw_table_probe probe, const uint8_t *state,
                 uint32_t length, store_number parent, uint64_t changed,
                 store_number *number)
{
  (void)parent, (void)changed; /* raw gains nothing from them */
  raw_code code = raw_encode(state, length);
  return table_insert(t, code.bytes, code.length, probe, number);
}

static inline uint32_t raw_table_max_length(const raw_table *t)
{
  return t->max_length;
}

/* The state with this number.  'out' has room for it, but may stay unused. */
static inline const uint8_t *raw_table_view(const raw_table *t,
                                            store_number number, uint8_t *out,
                                            uint32_t *length)
{
  (void)out;
  return table_get(t, number, length);
}

#endif
