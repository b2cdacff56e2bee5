/* The store 'raw+table': states as they are, in a table.
**
** Two faces.  The class 'store_raw_table' serves set-up, tests and cold paths;
** the inline functions serve the hot loop, which asks in three rounds over a
** batch of successors: 'prepare' each, 'approach' each, then 'insert' each, so
** that the memory fetches of all of them overlap. */

#ifndef NUT_STORE_TABLE_RAW_TABLE_H
#define NUT_STORE_TABLE_RAW_TABLE_H

#include "codec/raw.h"
#include "store/table/table.h"

typedef table raw_table;
typedef uint64_t raw_table_probe; /* what 'prepare' learnt about a state */

extern const store_class store_raw_table;
extern const store_sharing raw_table_sharing;

static inline raw_table *raw_table_of(store *s)
{
  return (raw_table *)s;
}

static inline bool raw_table_prepare(raw_table *t, const store_offer *offers,
                                     raw_table_probe *probes, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    raw_code code = raw_encode(offers[i].state, offers[i].length);
    probes[i] = table_hash(code.bytes, code.length);
    table_prefetch(t, probes[i]);
  }
  return true;
}

static inline void raw_table_approach(raw_table *t, raw_table_probe probe)
{
  table_prefetch_string(t, probe);
}

/* As 'insert' of the class. */
static inline store_result raw_table_insert(raw_table *t, raw_table_probe probe,
                                            const store_offer *offer,
                                            store_handle *number)
{
  raw_code code = raw_encode(offer->state, offer->length);
  if (t->is_shared)
    return table_insert_shared(t, code.bytes, code.length, probe, number);
  return table_insert(t, code.bytes, code.length, probe, number);
}

static inline uint32_t raw_table_max_length(const raw_table *t)
{
  return __atomic_load_n(&t->max_length, __ATOMIC_RELAXED);
}

static inline void raw_table_foresee(const raw_table *t, store_handle number)
{
  (void)t, (void)number;
}

/* Marks of states; see 'table_have_marks'. */
static inline bool raw_table_have_marks(raw_table *t)
{
  return table_have_marks(t);
}

/* Nothing is encoded by what differs. */
static inline uint64_t raw_table_like_hand(const raw_table *t, uint32_t hand,
                                           const uint8_t *state,
                                           uint32_t length)
{
  (void)t, (void)hand, (void)state, (void)length;
  return UINT64_MAX;
}

static inline bool raw_table_is_marked(const raw_table *t, store_handle number)
{
  return table_is_marked(t, number);
}

static inline void raw_table_mark(raw_table *t, store_handle number,
                                  bool marked)
{
  table_mark(t, number, marked);
}

static inline void raw_table_foresee_mark(const raw_table *t,
                                          store_handle number)
{
  __builtin_prefetch(t->marks.base + number / 8, 1);
}

/* The state with this number.  'out' has room for it, but may stay unused. */
static inline const uint8_t *raw_table_view(const raw_table *t,
                                            store_handle number, uint32_t hand,
                                            uint8_t *out, uint32_t *length)
{
  (void)hand, (void)out;
  return table_get(t, number, length);
}

#endif
