/* Levels of the tree: encoding, decoding, and only the nodes above what
** changed. */

#include "store/tree/tree.h"
#include "base/alloc.h"

enum {
  HEIGHTS_MAX = 64 /* a learned tree has no more inner nodes */
};

/* ---- shape ------------------------------------------------------------ */

/* Plans the nodes over the elements from .. to-1 and returns the index of
** what stands for them all: the element itself, or a node over up to four parts
** of equal size. */
static uint16_t plan_part(tree_plan *p, uint32_t from, uint32_t to)
{
  uint32_t n = to - from, parts = n < 4 ? n : 4;
  tree_node node = {
      {TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD}};
  if (n == 1)
    return (uint16_t)from;
  for (uint32_t i = 0; i < parts; i++)
    node.child[i] =
        plan_part(p, from + n * i / parts, from + n * (i + 1) / parts);
  p->nodes[p->inner] = node;
  return (uint16_t)(p->leaves + p->inner++);
}

void tree_plan_even(tree_plan *p, uint32_t leaves)
{
  p->leaves = leaves < 2 ? 2 : leaves;
  p->inner = 0;
  memset(p->bits, 0, sizeof p->bits);
  uint32_t half = (p->leaves + 1) / 2;
  p->left = plan_part(p, 0, half);
  p->right = plan_part(p, half, p->leaves);
}

/* Missing children point to the 0 behind all values. */
static void set_nodes(tree *t, const tree_plan *p)
{
  for (uint32_t i = 0; i < t->inner; i++)
    for (int k = 0; k < 4; k++) {
      uint16_t child = p->nodes[i].child[k];
      t->nodes[i].child[k] =
          child == TREE_NO_CHILD ? (uint16_t)(t->leaves + t->inner) : child;
    }
}

/* Sorts the nodes by their height: how many nodes are below one another. */
static void find_levels(tree *t)
{
  uint8_t height[TREE_LEAVES + 2];
  for (uint32_t i = 0; i < t->inner; i++) {
    height[i] = 0;
    for (int k = 0; k < 4; k++) {
      uint32_t child = t->nodes[i].child[k];
      if (child < t->leaves || child >= t->leaves + i)
        continue;
      uint8_t below = height[child - t->leaves];
      height[i] = below + 1 > height[i] ? (uint8_t)(below + 1) : height[i];
    }
    t->levels[height[i] * t->words + i / 64] |= UINT64_C(1) << i % 64;
    t->heights = height[i] + 1u > t->heights ? height[i] + 1u : t->heights;
  }
}

/* Marks for every leaf the inner nodes that depend on it. */
static void find_above(tree *t)
{
  uint16_t parent[2 * TREE_LEAVES + 2];
  memset(parent, 0xff, sizeof parent);
  for (uint32_t i = 0; i < t->inner; i++)
    for (int k = 0; k < 4; k++)
      parent[t->nodes[i].child[k]] = (uint16_t)i;
  for (uint32_t leaf = 0; leaf < t->leaves; leaf++)
    for (uint32_t i = parent[leaf]; i < t->inner; i = parent[t->leaves + i])
      t->above[leaf * t->words + i / 64] |= UINT64_C(1) << i % 64;
}

uint32_t tree_lanes_set(tree_lanes *p, const uint8_t bits[4])
{
  uint32_t all = 0;
  for (int k = 0; k < 4; k++) {
    p->bits[k] = bits[k];
    p->shifts[k] = all;
    all += bits[k];
  }
  return all;
}

/* Which nodes are packed, and how. */
static void set_lanes(tree *t, const tree_plan *p)
{
  for (int side = 0; side < 2; side++) {
    uint32_t node = (side ? t->right : t->left) - t->leaves;
    bool is_packed = tree_lanes_set(&t->lanes[side], p->bits[side]);
    if (is_packed && node < t->inner && node < 64)
      t->packed |= UINT64_C(1) << node;
  }
}

static bool allocate_shape(tree *t)
{
  t->words = t->leaves / 64 + 1; /* there are fewer inner nodes than leaves */
  t->nodes = mem_try_alloc(t->leaves * sizeof *t->nodes);
  t->above = mem_try_alloc((size_t)t->leaves * t->words * sizeof *t->above);
  t->levels = mem_try_alloc(HEIGHTS_MAX * t->words * sizeof *t->levels);
  t->tables = mem_try_alloc(t->leaves * sizeof *t->tables);
  return t->nodes && t->above && t->levels && t->tables;
}

bool tree_create(tree *t, const tree_plan *p, size_t max_bytes)
{
  memset(t, 0, sizeof *t);
  t->leaves = p->leaves;
  t->inner = p->inner;
  t->left = p->left;
  t->right = p->right;
  bool done = allocate_shape(t) && roots_create(&t->roots, max_bytes);
  if (done) {
    set_nodes(t, p);
    set_lanes(t, p);
    find_levels(t);
    find_above(t);
  }
  for (uint32_t i = 0; done && i < t->inner; i++)
    done = quads_create(&t->tables[i]);
  if (!done)
    tree_destroy(t);
  return done;
}

void tree_destroy(tree *t)
{
  for (uint32_t i = 0; t->tables && i < t->inner; i++)
    quads_destroy(&t->tables[i]);
  mem_free(t->tables, t->leaves * sizeof *t->tables);
  mem_free(t->levels, HEIGHTS_MAX * t->words * sizeof *t->levels);
  mem_free(t->above, (size_t)t->leaves * t->words * sizeof *t->above);
  mem_free(t->nodes, t->leaves * sizeof *t->nodes);
  roots_destroy(&t->roots);
  memset(t, 0, sizeof *t);
}

size_t tree_bytes(const tree *t)
{
  size_t bytes = roots_bytes(&t->roots) +
                 (t->leaves + HEIGHTS_MAX) * (t->words * sizeof *t->above) +
                 t->leaves * (sizeof *t->nodes + sizeof *t->tables);
  for (uint32_t i = 0; i < t->inner; i++)
    bytes += quads_bytes(&t->tables[i]);
  return bytes;
}

bool tree_check(const tree *t)
{
  for (uint32_t i = 0; i < t->inner; i++)
    if (!quads_check(&t->tables[i]))
      return false;
  return roots_check(&t->roots);
}

/* ---- encoding --------------------------------------------------------- */

uint32_t tree_pack_away(tree *t, const uint32_t *values, uint32_t node)
{
  quad q = tree_quad_below(t, values, node);
  uint32_t number = quads_number(&t->tables[node], q, quad_hash(q));
  return number < TREE_IN_TABLE ? number | TREE_IN_TABLE : QUADS_FULL;
}

static uint32_t rows_of(const quads *q)
{
  return __atomic_load_n(&q->count, __ATOMIC_RELAXED);
}

/* The numbers that a child of an inner node has. */
static uint32_t rows_below(const tree *t, const quads *blocks, uint32_t child)
{
  return rows_of(child < t->leaves ? &blocks[child]
                                   : &t->tables[child - t->leaves]);
}

uint32_t tree_most(const tree *t, const quads *blocks, uint32_t node)
{
  const tree_lanes *p = tree_lanes_of(t, node);
  uint32_t rows = rows_of(&t->tables[node]), most = 0;
  if (!tree_is_packed(t, node) || rows)
    return tree_is_packed(t, node) ? TREE_IN_TABLE | rows : rows;
  for (int k = 0; k < 4 && p->bits[k]; k++) {
    uint32_t below = rows_below(t, blocks, t->nodes[node].child[k]);
    uint32_t room = (UINT32_C(1) << p->bits[k]) - 1;
    most = (UINT32_C(1) << p->shifts[k]) - 1;
    most |= (below < room ? below : room) << p->shifts[k];
  }
  return most;
}

static uint32_t bits_of(uint64_t number)
{
  return number ? 64 - (uint32_t)__builtin_clzll(number) : 0;
}

/* The bits for the children of one packed node: all but the last get room for
** 'times' as many numbers as they have.  The last one has what is left: numbers are
** no larger for that. */
static bool plan_bits(const tree *t, const quads *blocks, uint32_t node,
                      uint32_t times, uint8_t bits[4])
{
  const tree_lanes *p = tree_lanes_of(t, node);
  uint32_t all = 0, last = 0;
  for (uint32_t k = 0; k < 4 && p->bits[k]; k++) {
    uint32_t rows = rows_below(t, blocks, t->nodes[node].child[k]);
    uint8_t wanted = (uint8_t)bits_of((uint64_t)rows * times);
    bits[k] = wanted > p->bits[k] ? wanted : p->bits[k];
    last = k;
    all += bits[k];
  }
  uint32_t rows = rows_below(t, blocks, t->nodes[node].child[last]);
  all -= bits[last];
  if (all + bits_of(rows) > TREE_PACKED)
    return false;
  bits[last] = (uint8_t)(TREE_PACKED - all);
  return true;
}

bool tree_plan_bits(const tree *t, const quads *blocks, uint8_t bits[2][4])
{
  for (int side = 0; side < 2; side++) {
    uint32_t node = (side ? t->right : t->left) - t->leaves;
    memset(bits[side], 0, sizeof bits[side]);
    if (node < t->inner && tree_is_packed(t, node) &&
        !plan_bits(t, blocks, node, 4, bits[side]) &&
        !plan_bits(t, blocks, node, 2, bits[side]) &&
        !plan_bits(t, blocks, node, 1, bits[side]))
      return false;
  }
  return true;
}

bool tree_encode(tree *t, uint32_t *values)
{
  values[t->leaves + t->inner] = 0;
  for (uint32_t i = 0; i < t->inner; i++) {
    quad q = tree_quad_below(t, values, i);
    uint32_t number = tree_is_packed(t, i)
                          ? tree_pack(t, values, i)
                          : quads_number(&t->tables[i], q, quad_hash(q));
    values[t->leaves + i] = number;
    if (number == QUADS_FULL)
      return false;
  }
  return true;
}

bool tree_refresh_many(tree *t, uint32_t *values, const uint64_t *dirty,
                       uint32_t count)
{
  for (uint32_t h = 0; h < t->heights; h++)
    for (uint32_t w = 0; w < t->words; w++)
      if (!tree_refresh_word(t, values, dirty, count, h, w, t->words))
        return false;
  return true;
}

/* ---- decoding --------------------------------------------------------- */

/* Children come before their parents, so the last nodes are read first.  The 0
** behind the values is written over with zeros. */
