#include "store/tree.h"
#include "base/alloc.h"
#include "base/components.h"

enum { HEIGHTS_MAX = 12 }; /* of a balanced tree over COMPONENTS_LIMIT */

/* Builds the nodes over the elements from .. to-1 and returns the index of
** their value.  Children come before their parents. */
static uint16_t build(tree *t, uint32_t *next, uint32_t from, uint32_t to)
{
  if (to - from == 1)
    return (uint16_t)from;
  uint32_t middle = from + (to - from + 1) / 2;
  uint16_t left = build(t, next, from, middle);
  uint16_t right = build(t, next, middle, to);
  uint32_t node = (*next)++;
  t->nodes[node] = (tree_node){left, right};
  return (uint16_t)(t->leaves + node);
}

/* Marks for every leaf the inner nodes that depend on it. */
static void find_above(tree *t)
{
  uint16_t parent[2 * COMPONENTS_LIMIT];
  for (uint32_t i = 0; i <= t->inner; i++)
    parent[t->nodes[i].left] = parent[t->nodes[i].right] = (uint16_t)i;
  for (uint32_t leaf = 0; leaf < t->leaves; leaf++)
    for (uint32_t i = parent[leaf]; i < t->inner; i = parent[t->leaves + i])
      t->above[leaf * t->words + i / 64] |= UINT64_C(1) << i % 64;
}

/* Sorts the inner nodes by their height above the leaves. */
static void find_levels(tree *t)
{
  uint8_t height[COMPONENTS_LIMIT] = {0};
  for (uint32_t i = 0; i < t->inner; i++) {
    uint32_t children[2] = {t->nodes[i].left, t->nodes[i].right};
    for (int k = 0; k < 2; k++)
      if (children[k] >= t->leaves &&
          height[i] < height[children[k] - t->leaves] + 1)
        height[i] = (uint8_t)(height[children[k] - t->leaves] + 1);
    if (t->heights < height[i] + 1u)
      t->heights = height[i] + 1u;
    t->levels[height[i] * t->words + i / 64] |= UINT64_C(1) << i % 64;
  }
}

bool tree_create(tree *t, uint32_t leaves, size_t max_bytes)
{
  memset(t, 0, sizeof *t);
  t->leaves = leaves < 2 ? 2 : leaves;
  t->inner = t->leaves - 2;
  t->words = t->inner / 64 + 1;
  t->nodes = mem_try_alloc((t->inner + 1) * sizeof *t->nodes);
  t->above = mem_try_alloc((size_t)t->leaves * t->words * sizeof *t->above);
  t->levels = mem_try_alloc(HEIGHTS_MAX * t->words * sizeof *t->levels);
  t->tables = mem_try_alloc((t->inner + 1) * sizeof *t->tables);
  bool done = t->nodes && t->above && t->levels && t->tables &&
              roots_create(&t->roots, max_bytes);
  for (uint32_t i = 0; done && i < t->inner; i++)
    done = pairs_create(&t->tables[i]);
  if (!done) {
    tree_destroy(t);
    return false;
  }
  uint32_t next = 0;
  build(t, &next, 0, t->leaves);
  find_above(t);
  find_levels(t);
  return true;
}

void tree_destroy(tree *t)
{
  for (uint32_t i = 0; t->tables && i < t->inner; i++)
    pairs_destroy(&t->tables[i]);
  mem_free(t->tables, (t->inner + 1) * sizeof *t->tables);
  mem_free(t->above, (size_t)t->leaves * t->words * sizeof *t->above);
  mem_free(t->levels, HEIGHTS_MAX * t->words * sizeof *t->levels);
  mem_free(t->nodes, (t->inner + 1) * sizeof *t->nodes);
  roots_destroy(&t->roots);
  memset(t, 0, sizeof *t);
}

size_t tree_bytes(const tree *t)
{
  size_t bytes = roots_bytes(&t->roots) +
                 (t->leaves + HEIGHTS_MAX) * (t->words * sizeof *t->above) +
                 (t->inner + 1) * (sizeof *t->nodes + sizeof *t->tables);
  for (uint32_t i = 0; i < t->inner; i++)
    bytes += pairs_bytes(&t->tables[i]);
  return bytes;
}

bool tree_check(const tree *t)
{
  for (uint32_t i = 0; i < t->inner; i++)
    if (!pairs_check(&t->tables[i]))
      return false;
  return roots_check(&t->roots);
}

bool tree_encode(tree *t, uint32_t *values)
{
  for (uint32_t i = 0; i < t->inner; i++)
    if (!tree_refresh(t, values, i))
      return false;
  return true;
}

/* A node of a tuple that is to be recomputed. */
typedef struct work {
  uint32_t *values;
  uint32_t node;
  uint64_t hash;
} work;

static uint64_t pair_below(const tree *t, const work *w)
{
  const tree_node *n = &t->nodes[w->node];
  return pair_of(w->values[n->left], w->values[n->right]);
}

/* In three rounds: where, what is there, the answer. */
static bool do_work(tree *t, work *list, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    list[i].hash =
        pairs_approach(&t->tables[list[i].node], pair_below(t, &list[i]));
  for (uint32_t i = 0; i < n; i++)
    pairs_touch(&t->tables[list[i].node], list[i].hash);
  for (uint32_t i = 0; i < n; i++)
    if (!tree_refresh(t, list[i].values, list[i].node))
      return false;
  return true;
}

enum { WORK_MAX = 128 };

bool tree_refresh_many(tree *t, uint32_t *values, const uint64_t *dirty,
                       uint32_t count)
{
  work list[WORK_MAX];
  for (uint32_t h = 0; h < t->heights; h++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t w = 0; w < t->words; w++) {
        uint64_t nodes = dirty[i * t->words + w] & t->levels[h * t->words + w];
        for (; nodes; nodes &= nodes - 1) {
          if (n == WORK_MAX) {
            if (!do_work(t, list, n))
              return false;
            n = 0;
          }
          list[n++] = (work){values + (size_t)i * tree_values(t),
                             w * 64 + (uint32_t)__builtin_ctzll(nodes), 0};
        }
      }
    if (!do_work(t, list, n))
      return false;
  }
  return true;
}

static void put_pair(const tree *t, uint32_t node, uint64_t pair,
                     uint32_t *values)
{
  values[t->nodes[node].left] = (uint32_t)(pair >> 32);
  values[t->nodes[node].right] = (uint32_t)pair;
}

void tree_decode(const tree *t, tree_handle handle, uint32_t *values)
{
  put_pair(t, t->inner, handle, values);
  for (uint32_t i = t->inner; i-- > 0;)
    put_pair(t, i, pairs_get(&t->tables[i], values[t->leaves + i]), values);
}
