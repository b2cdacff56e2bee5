#include "store/diagram/set_sharing.h"

#include "base/alloc.h"
#include "store/diagram/sharing.h"

static set *sharing_set_create(const set_settings *settings)
{
  sharing *s = mem_try_alloc(sizeof *s);
  if (s && !sharing_create(s, settings->max_bytes, settings->reduce_every)) {
    mem_free(s, sizeof *s);
    s = NULL;
  }
  return (set *)s;
}

static store_result sharing_set_insert(set *s, const uint32_t *tuple,
                                       uint32_t length)
{
  return sharing_insert((sharing *)s, tuple, length);
}

static uint64_t sharing_set_count(const set *s)
{
  return ((const sharing *)s)->count;
}

static size_t sharing_set_bytes(const set *s)
{
  return sharing_bytes((const sharing *)s);
}

static uint64_t sharing_set_nodes(const set *s)
{
  return ((const sharing *)s)->nodes;
}

static bool sharing_set_check(const set *s)
{
  return sharing_check((const sharing *)s);
}

static void sharing_set_draw(const set *s, const diagram_labels *labels,
                             text *dot)
{
  sharing_draw((sharing *)s, labels, dot);
}

static void sharing_set_destroy(set *s)
{
  if (!s)
    return;
  sharing_destroy((sharing *)s);
  mem_free(s, sizeof(sharing));
}

const set_class set_sharing = {
    .name = "sharing",
    .summary = "sharing tree: equal beginnings and ends of tuples once",
    .exact = true,
    .shares = true,
    .create = sharing_set_create,
    .insert = sharing_set_insert,
    .count = sharing_set_count,
    .bytes = sharing_set_bytes,
    .nodes = sharing_set_nodes,
    .check = sharing_set_check,
    .draw = sharing_set_draw,
    .destroy = sharing_set_destroy,
};
