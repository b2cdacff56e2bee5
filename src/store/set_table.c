/* The set 'table' behind its class. */

#include "base/alloc.h"
#include "store/set.h"
#include "store/table.h"

static table *of(set *s)
{
  return (table *)s;
}

static const table *in(const set *s)
{
  return (const table *)s;
}

static set *create(const set_settings *settings)
{
  table *t = mem_try_alloc(sizeof *t);
  if (t && !table_create(t, settings->max_bytes)) {
    mem_free(t, sizeof *t);
    t = NULL;
  }
  return (set *)t;
}

static void destroy(set *s)
{
  if (!s)
    return;
  table_destroy(of(s));
  mem_free(s, sizeof(table));
}

static store_result insert_bytes(set *s, const uint8_t *bytes, uint32_t length)
{
  store_number number;
  return table_insert(of(s), bytes, length, table_hash(bytes, length), &number);
}

static uint64_t count(const set *s)
{
  return in(s)->count;
}

static size_t bytes(const set *s)
{
  return sizeof(table) + table_bytes(in(s));
}

static bool check(const set *s)
{
  return table_check(in(s));
}

const set_class set_table = {
    .name = "table",
    .summary = "a hash table; at most 8 bytes more for each",
    .exact = true,
    .create = create,
    .insert_bytes = insert_bytes,
    .count = count,
    .bytes = bytes,
    .check = check,
    .destroy = destroy,
};
