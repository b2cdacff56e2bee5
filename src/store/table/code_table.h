/* Any codec with the set 'table': 'radix+table', 'chunk+table',
** 'collapse+table'.  States are numbered in order of discovery and given back
** by decoding them, so stacks and frontiers hold numbers.  As with 'raw+table',
** a batch of states is asked for in three rounds. */

#ifndef NUT_STORE_TABLE_CODE_TABLE_H
#define NUT_STORE_TABLE_CODE_TABLE_H

#include "codec/codec.h"
#include "store/store.h"
#include "store/table/coded_table.h"

typedef struct code_table {
  const codec_class *class;
  codec *codec;
  coded_table coded;
  size_t max_bytes;
  uint32_t offered; /* states since the memory was looked at */
  bool over_limit;
  uint32_t longest; /* bytes of the longest state */
} code_table;

typedef coded_probe code_table_probe;

static inline code_table *code_table_of(store *s)
{
  return (code_table *)s;
}

/* Encodes up to CODED_TOGETHER states.  False: no memory. */
bool code_table_prepare(code_table *, const store_offer *, code_table_probe *,
                        uint32_t count);

static inline void code_table_approach(code_table *t, code_table_probe probe)
{
  coded_approach(&t->coded, probe);
}

/* As 'insert' of the class, for a prepared state. */
static inline store_result code_table_insert(code_table *t,
                                             code_table_probe probe,
                                             const store_offer *offer,
                                             store_handle *number)
{
  (void)offer;
  return coded_insert(&t->coded, probe, number);
}

static inline uint32_t code_table_max_length(const code_table *t)
{
  return t->longest;
}

static inline void code_table_foresee(const code_table *t, store_handle number)
{
  coded_foresee(&t->coded, number);
}

/* Loads the state with this number as a hand; valid until the next call for the
** same hand. */
static inline const uint8_t *code_table_view(code_table *t, store_handle number,
                                             uint32_t hand, uint8_t *out,
                                             uint32_t *length)
{
  (void)out;
  uint32_t code_length;
  const uint8_t *code = table_get(&t->coded.table, number, &code_length);
  return t->class->take_code(t->codec, hand, code, code_length, length);
}

/* The functions of the class, for all codecs. */
store *code_table_create(const store_class *, const store_settings *);
store_result code_table_class_insert(store *, const uint8_t *state,
                                     uint32_t length, store_handle parent,
                                     uint64_t changed, store_handle *number);
uint32_t code_table_fetch(const store *, store_handle, uint8_t *out);
uint64_t code_table_count(const store *);
size_t code_table_bytes(const store *);
uint32_t code_table_class_max_length(const store *);
bool code_table_check(const store *);
void code_table_destroy(store *);

#endif
