#include "store/table/raw_table.h"

#include "base/alloc.h"

#include <assert.h>

static store *raw_table_class_create(const store_class *class,
                                     const store_settings *settings)
{
  (void)class;
  raw_table *t = mem_try_alloc(sizeof *t);
  if (t && !table_create(t, settings->max_bytes)) {
    mem_free(t, sizeof *t);
    t = NULL;
  }
  return (store *)t;
}

static store_result raw_table_class_insert(store *s, const uint8_t *state,
                                           uint32_t length, store_handle parent,
                                           uint64_t changed,
                                           store_handle *number)
{
  raw_table *t = raw_table_of(s);
  store_offer offer = {.state = state, .length = length, .changed = changed};
  raw_table_probe probe;
  (void)parent; /* raw gains nothing from it */
  raw_table_prepare(t, &offer, &probe, 1);
  return raw_table_insert(t, probe, &offer, number);
}

static uint32_t raw_table_class_fetch(const store *s, store_handle number,
                                      uint8_t *out)
{
  const raw_table *t = (const raw_table *)s;
  assert(number < t->count);
  uint32_t length;
  const uint8_t *state = table_get(t, number, &length);
  if (length)
    memcpy(out, state, length);
  return length;
}

static uint64_t raw_table_class_count(const store *s)
{
  return __atomic_load_n(&((const raw_table *)s)->count, __ATOMIC_RELAXED);
}

static size_t raw_table_class_bytes(const store *s)
{
  return sizeof(raw_table) + table_bytes((const raw_table *)s);
}

static uint32_t raw_table_class_max_length(const store *s)
{
  return raw_table_max_length((const raw_table *)s);
}

static bool raw_table_class_check(const store *s)
{
  return table_check((const raw_table *)s);
}

static void raw_table_class_destroy(store *s)
{
  if (!s)
    return;
  table_destroy(raw_table_of(s));
  mem_free(s, sizeof(raw_table));
}

const store_class store_raw_table = {
    .codec = "raw",
    .set = "table",
    .summary = "states as they are in a hash table; at most 8 bytes more each",
    .exact = true,
    .dense = true,
    .loop = STORE_BY_raw_table,
    .sharing = &raw_table_sharing,
    .create = raw_table_class_create,
    .insert = raw_table_class_insert,
    .fetch = raw_table_class_fetch,
    .count = raw_table_class_count,
    .bytes = raw_table_class_bytes,
    .max_length = raw_table_class_max_length,
    .check = raw_table_class_check,
    .destroy = raw_table_class_destroy,
};
