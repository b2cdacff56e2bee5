/* Nodes and operations, covers for labels, and the split into cases. */

#include "logic/boolean.h"

#include "base/alloc.h"
#include "base/hash.h"
#include <stdlib.h>

/* Terminals have a variable behind all others, so that the smaller variable of
** two nodes is always the one to branch on. */
#define TERMINAL UINT32_MAX

enum { FIRST_SLOTS = 1 << 10 };

typedef struct node {
  uint32_t variable;
  boolean low, high; /* the function where the variable is 0, and 1 */
} node;

/* An answer of 'choose', to be found again; all zero is a true one. */
typedef struct cached {
  boolean f, g, h, result;
} cached;

struct booleans {
  VEC(node) nodes;
  VEC(uint32_t) slots; /* the unique table: numbers of nodes, 0 = free */
  VEC(cached) cache;   /* as many as slots; old answers are overwritten */
  uint32_t limit;
  bool full;
  VEC(boolean_literal) path; /* of the product being made */
  /* for 'boolean_split' */
  VEC(boolean) condition; /* by node: when it is reached */
  VEC(uint32_t) touched;  /* the nodes with a condition */
};

booleans *booleans_create(uint32_t node_limit)
{
  booleans *b = mem_alloc(sizeof *b);
  b->limit = node_limit;
  return b;
}

void booleans_destroy(booleans *b)
{
  if (!b)
    return;
  vec_free(&b->nodes);
  vec_free(&b->slots);
  vec_free(&b->cache);
  vec_free(&b->path);
  vec_free(&b->condition);
  vec_free(&b->touched);
  mem_free(b, sizeof *b);
}

bool booleans_full(const booleans *b)
{
  return b->full;
}

uint32_t booleans_nodes(const booleans *b)
{
  return (uint32_t)b->nodes.len;
}

static uint64_t hash_node(node n)
{
  return hash_mix(hash_mix(n.variable ^ (uint64_t)n.low << 32) ^ n.high);
}

/* The slot of an equal node, or the free one where it belongs. */
static uint32_t *find_slot(booleans *b, node n)
{
  size_t mask = b->slots.len - 1, i = hash_node(n) & mask;
  for (; b->slots.data[i]; i = (i + 1) & mask) {
    node it = b->nodes.data[b->slots.data[i]];
    if (it.variable == n.variable && it.low == n.low && it.high == n.high)
      break;
  }
  return &b->slots.data[i];
}

/* Terminals and tables come with the first use, so that creating an owner is
** one allocation and cannot leak. */
static void prepare(booleans *b)
{
  const node terminal = {TERMINAL, 0, 0};
  vec_resize(&b->slots, FIRST_SLOTS);
  vec_resize(&b->cache, FIRST_SLOTS);
  vec_grow(&b->nodes, 2);
  vec_push(&b->nodes, terminal);
  vec_push(&b->nodes, terminal);
}

static void enlarge(booleans *b)
{
  size_t size = 2 * b->slots.len;
  vec_resize(&b->cache, size);
  vec_clear(&b->slots);
  vec_resize(&b->slots, size);
  for (uint32_t i = 2; i < b->nodes.len; i++)
    *find_slot(b, b->nodes.data[i]) = i;
}

static boolean make(booleans *b, uint32_t variable, boolean low, boolean high)
{
  if (low == high)
    return low;
  mem_poll();
  node n = {variable, low, high};
  uint32_t *slot = find_slot(b, n);
  if (*slot)
    return *slot;
  if (b->nodes.len >= b->limit)
    b->full = true;
  if (b->full)
    return BOOLEAN_FALSE;
  uint32_t number = (uint32_t)b->nodes.len;
  vec_push(&b->nodes, n);
  *slot = number;
  if (2 * b->nodes.len > b->slots.len)
    enlarge(b);
  return number;
}

static uint32_t top(const booleans *b, boolean f)
{
  return b->nodes.data[f].variable;
}

static boolean half(const booleans *b, boolean f, uint32_t variable, bool high)
{
  const node *n = &b->nodes.data[f];
  return n->variable != variable ? f : high ? n->high : n->low;
}

/* if f then g else h */
static boolean choose(booleans *b, boolean f, boolean g, boolean h)
{
  if (f == BOOLEAN_TRUE || g == h)
    return g;
  if (f == BOOLEAN_FALSE)
    return h;
  if (g == BOOLEAN_TRUE && h == BOOLEAN_FALSE)
    return f;
  if (b->full)
    return BOOLEAN_FALSE;
  uint64_t hash = hash_mix(hash_mix(f ^ (uint64_t)g << 32) ^ h);
  cached *known = &b->cache.data[hash & (b->cache.len - 1)];
  if (known->f == f && known->g == g && known->h == h)
    return known->result;
  uint32_t v = top(b, f);
  v = top(b, g) < v ? top(b, g) : v;
  v = top(b, h) < v ? top(b, h) : v;
  boolean low = choose(b, half(b, f, v, false), half(b, g, v, false),
                       half(b, h, v, false));
  boolean high =
      choose(b, half(b, f, v, true), half(b, g, v, true), half(b, h, v, true));
  boolean result = make(b, v, low, high);
  /* The cache may have grown meanwhile. */
  b->cache.data[hash & (b->cache.len - 1)] = (cached){f, g, h, result};
  return result;
}

boolean boolean_variable(booleans *b, uint32_t variable)
{
  if (b->nodes.len < 2)
    prepare(b);
  return make(b, variable, BOOLEAN_FALSE, BOOLEAN_TRUE);
}

boolean boolean_not(booleans *b, boolean f)
{
  return choose(b, f, BOOLEAN_FALSE, BOOLEAN_TRUE);
}

boolean boolean_and(booleans *b, boolean f, boolean g)
{
  return choose(b, f, g, BOOLEAN_FALSE);
}

boolean boolean_or(booleans *b, boolean f, boolean g)
{
  return choose(b, f, BOOLEAN_TRUE, g);
}

bool boolean_implies(booleans *b, boolean f, boolean g)
{
  return choose(b, f, g, BOOLEAN_TRUE) == BOOLEAN_TRUE;
}

boolean boolean_copy(booleans *b, const booleans *from, boolean f,
                     boolean_map *copied)
{
  if (f == BOOLEAN_FALSE || f == BOOLEAN_TRUE)
    return f;
  if (copied->len <= f)
    vec_resize(copied, f + 1u);
  if (!copied->data[f]) {
    node n = from->nodes.data[f];
    boolean low = boolean_copy(b, from, n.low, copied);
    boolean high = boolean_copy(b, from, n.high, copied);
    boolean x = boolean_variable(b, n.variable);
    copied->data[f] = choose(b, x, high, low) + 1;
  }
  return copied->data[f] - 1;
}

/* Adds products that together contain 'least' and stay within 'most'; returns
** their sum.  The products of one call share what is on the path. */
static boolean cover(booleans *b, boolean least, boolean most,
                     boolean_cover *out)
{
  if (least == BOOLEAN_FALSE || b->full)
    return BOOLEAN_FALSE;
  if (most == BOOLEAN_TRUE) {
    for (size_t i = 0; i < b->path.len; i++)
      vec_push(&out->literals, b->path.data[i]);
    vec_push(&out->ends, (uint32_t)out->literals.len);
    /* A sum too long to be used counts against the same limit. */
    if (out->literals.len > b->limit)
      b->full = true;
    return BOOLEAN_TRUE;
  }
  uint32_t v = top(b, least);
  v = top(b, most) < v ? top(b, most) : v;
  boolean rest[2], sum[2];
  for (int i = 0; i < 2; i++) {
    /* What only products with this literal can contain. */
    boolean mine = half(b, least, v, i), other = half(b, most, v, !i);
    boolean only = boolean_and(b, mine, boolean_not(b, other));
    vec_push(&b->path, ((boolean_literal){v, i == 1}));
    sum[i] = cover(b, only, half(b, most, v, i), out);
    b->path.len--;
    rest[i] = boolean_and(b, mine, boolean_not(b, sum[i]));
  }
  boolean both =
      boolean_and(b, half(b, most, v, false), half(b, most, v, true));
  boolean common = cover(b, boolean_or(b, rest[0], rest[1]), both, out);
  return make(b, v, boolean_or(b, sum[0], common),
              boolean_or(b, sum[1], common));
}

void boolean_make_cover(booleans *b, boolean f, boolean_cover *out)
{
  vec_clear(&out->literals);
  vec_grow(&out->literals, 1); /* an empty product is a place in it, too */
  vec_clear(&out->ends);
  vec_clear(&b->path);
  cover(b, f, f, out);
}

void boolean_cover_free(boolean_cover *c)
{
  vec_free(&c->literals);
  vec_free(&c->ends);
}

/* Widens the condition under which a node is reached. */
static void reach(booleans *b, boolean f, boolean condition)
{
  if (f == BOOLEAN_FALSE || condition == BOOLEAN_FALSE)
    return;
  if (b->condition.data[f] == BOOLEAN_FALSE)
    vec_push(&b->touched, f);
  b->condition.data[f] = boolean_or(b, b->condition.data[f], condition);
}

/* The touched node with the smallest variable at or behind 'from'; when all of
** its parents are done, and they are, because theirs are smaller. */
static size_t next_touched(const booleans *b, size_t from)
{
  size_t best = from;
  for (size_t i = from + 1; i < b->touched.len; i++)
    if (top(b, b->touched.data[i]) < top(b, b->touched.data[best]))
      best = i;
  return best;
}

void boolean_split(booleans *b, boolean f, uint32_t bound, boolean_parts *parts)
{
  vec_clear(parts);
  vec_clear(&b->touched);
  if (f == BOOLEAN_FALSE || b->full)
    return;
  vec_clear(&b->condition);
  vec_resize(&b->condition, f + 1u < 2 ? 2 : f + 1u);
  reach(b, f, BOOLEAN_TRUE);
  for (size_t i = 0; i < b->touched.len && !b->full; i++) {
    size_t best = next_touched(b, i);
    boolean it = b->touched.data[best];
    b->touched.data[best] = b->touched.data[i];
    b->touched.data[i] = it;
    boolean condition = b->condition.data[it];
    if (it == BOOLEAN_TRUE || top(b, it) >= bound) {
      vec_push(parts, ((boolean_part){condition, it}));
      continue;
    }
    uint32_t v = top(b, it);
    boolean low = b->nodes.data[it].low, high = b->nodes.data[it].high;
    boolean x = boolean_variable(b, v);
    reach(b, low, boolean_and(b, condition, boolean_not(b, x)));
    reach(b, high, boolean_and(b, condition, x));
  }
}
