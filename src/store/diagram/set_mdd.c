/* Tuples go straight into the diagrams (diagrams.h). */

#include "store/diagram/set_mdd.h"

#include "base/alloc.h"
#include "store/diagram/diagrams.h"

typedef struct mdd_set {
  diagrams d;
  uint64_t count;
} mdd_set;

static set *create(mdd_kind kind, const set_settings *settings)
{
  mdd_set *s = mem_try_alloc(sizeof *s);
  if (!s)
    return NULL;
  if (!diagrams_create(&s->d, kind, settings->max_bytes)) {
    mem_free(s, sizeof *s);
    return NULL;
  }
  return (set *)s;
}

static set *mdd_set_create(const set_settings *settings)
{
  return create(MDD_VALUES, settings);
}

static set *ondd_set_create(const set_settings *settings)
{
  return create(MDD_RANGES, settings);
}

static store_result mdd_set_insert(set *base, const uint32_t *tuple,
                                   uint32_t length)
{
  mdd_set *s = (mdd_set *)base;
  if (!diagrams_reach(&s->d, length))
    return STORE_FULL;
  switch (mdd_add(s->d.manager, &s->d.roots[length], tuple, length)) {
  case MDD_SEEN:
    return STORE_SEEN;
  case MDD_NEW:
    s->count++;
    return STORE_NEW;
  default:
    return STORE_FULL;
  }
}

static uint64_t mdd_set_count(const set *base)
{
  return ((const mdd_set *)base)->count;
}

static size_t mdd_set_bytes(const set *base)
{
  const mdd_set *s = (const mdd_set *)base;
  return sizeof *s + diagrams_bytes(&s->d);
}

static uint64_t mdd_set_nodes(const set *base)
{
  return diagrams_nodes(&((const mdd_set *)base)->d);
}

static bool mdd_set_check(const set *base)
{
  const mdd_set *s = (const mdd_set *)base;
  return diagrams_check(&s->d, s->count);
}

static void mdd_set_draw(const set *base, const diagram_labels *labels,
                         text *dot)
{
  diagrams_draw(&((const mdd_set *)base)->d, labels, dot);
}

static void mdd_set_destroy(set *base)
{
  mdd_set *s = (mdd_set *)base;
  if (!s)
    return;
  diagrams_destroy(&s->d);
  mem_free(s, sizeof *s);
}

const set_class set_mdd = {
    .name = "mdd",
    .summary = "decision diagram of the tuples, one level per element",
    .exact = true,
    .shares = true,
    .create = mdd_set_create,
    .insert = mdd_set_insert,
    .count = mdd_set_count,
    .bytes = mdd_set_bytes,
    .nodes = mdd_set_nodes,
    .check = mdd_set_check,
    .draw = mdd_set_draw,
    .destroy = mdd_set_destroy,
};

const set_class set_ondd = {
    .name = "ondd",
    .summary = "decision diagram whose arcs carry ranges of values",
    .exact = true,
    .shares = true,
    .create = ondd_set_create,
    .insert = mdd_set_insert,
    .count = mdd_set_count,
    .bytes = mdd_set_bytes,
    .nodes = mdd_set_nodes,
    .check = mdd_set_check,
    .draw = mdd_set_draw,
    .destroy = mdd_set_destroy,
};
