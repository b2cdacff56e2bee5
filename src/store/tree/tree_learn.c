/* Finds blocks that are worth joining and clusters that vary together, by
** counting their values in the sample. */

#include "store/tree/tree_learn.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A cluster of units, which becomes a leaf, a node, or nothing. */
typedef struct cluster {
  uint64_t units;
  uint32_t bytes;
  uint32_t values;   /* different ones in the sample */
  uint32_t *numbers; /* of the states; belongs to the cluster */
  int left, right;   /* clusters it was made of; -1: none */
  bool is_joined;    /* to a larger one */
  uint16_t index;    /* in the plan */
  learn_cost cost;   /* of its table; 0: not yet counted */
} cluster;

/* What a child of the root stands for: a cluster, or several that are packed, each
** with its bits. */
typedef struct half {
  int count, parts[4];
  uint8_t bits[4];
} half;

/* The values that two clusters have together. */
typedef struct shared_values {
  uint32_t least; /* there are at least so many, */
  bool is_known;  /* and not more */
} shared_values;

typedef struct learner {
  const sample *sample;
  pair_counter *pairs;
  cluster clusters[2 * LEARN_UNITS];
  int count;
  shared_values together[2 * LEARN_UNITS][2 * LEARN_UNITS];
  half packed[2]; /* the best way to pack, and its cost (far) */
  uint64_t packed_cost;
} learner;

/* ---- counting --------------------------------------------------------- */

bool pair_counter_create(pair_counter *c, uint32_t states)
{
  uint32_t slots = 64;
  while (slots < 2 * states)
    slots *= 2;
  *c = (pair_counter){.mask = slots - 1};
  c->slots = mem_try_alloc(slots * sizeof *c->slots);
  return c->slots != NULL;
}

void pair_counter_destroy(pair_counter *c)
{
  mem_free(c->slots, ((size_t)c->mask + 1) * sizeof *c->slots);
  *c = (pair_counter){0};
}

uint32_t learn_join(pair_counter *c, const uint32_t *a, const uint32_t *b,
                    uint32_t states, uint32_t *joined)
{
  uint32_t mask = c->mask, stamp = ++c->stamp, count = 0;
  assert(2 * (uint64_t)states <= (uint64_t)mask + 1 && stamp);
  for (uint32_t i = 0; i < states; i++) {
    uint64_t pair = (uint64_t)a[i] << 32 | b[i];
    uint32_t at = (uint32_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (c->slots[at].stamp == stamp && c->slots[at].pair != pair)
      at = (at + 1) & mask;
    if (c->slots[at].stamp != stamp)
      c->slots[at] = (pair_slot){pair, ++count, stamp};
    if (joined)
      joined[i] = c->slots[at].number;
  }
  return count;
}

/* Numbers from 1 on in the order in which they come, of which 'most' is the
** largest. */
static uint64_t near_cost(const uint32_t *numbers, uint32_t states,
                          uint32_t most)
{
  uint64_t seen[4] = {0};
  uint8_t *often = mem_try_alloc((size_t)most + 1);
  if (!often)
    return 0;
  for (uint32_t i = 0; i < states; i++)
    often[numbers[i]] += often[numbers[i]] < 3;
  for (uint32_t n = 1; n <= most; n++)
    seen[often[n]]++;
  mem_free(often, (size_t)most + 1);
  uint64_t more = seen[1] * seen[1] / (2 * (seen[2] + 1));
  uint64_t cap = (uint64_t)LEARN_FUTURE * states;
  return most + (more < cap ? more : cap);
}

static uint64_t far_cost(const sample *s, const uint32_t *numbers,
                         uint32_t most)
{
  uint32_t before = 1;
  for (uint32_t i = 0; i < s->states / 2; i++)
    before = numbers[i] > before ? numbers[i] : before;
  double growth = log2((double)most / before);
  double times =
      (double)s->population * LEARN_GROWTH / (s->states ? s->states : 1);
  double rows = most * pow(times < 1 ? 1 : times, growth > 1 ? 1 : growth);
  return (uint64_t)rows;
}

static learn_cost cost_of(const sample *s, const uint32_t *numbers,
                          uint32_t most)
{
  learn_cost c = {near_cost(numbers, s->states, most),
                  far_cost(s, numbers, most)};
  c.far = c.far > c.near ? c.far : c.near;
  return c;
}

learn_cost learn_cost_of(sample *s, const uint32_t *numbers)
{
  learn_cost cost = {0, 0};
  uint32_t *own = mem_try_alloc(s->states * sizeof *own);
  if (!own)
    return cost;
  uint32_t most = learn_join(&s->pairs, numbers, numbers, s->states, own);
  if (most)
    cost = cost_of(s, own, most);
  mem_free(own, s->states * sizeof *own);
  return cost;
}

/* ---- sample ----------------------------------------------------------- */

static size_t sample_bytes(const sample *s)
{
  return (size_t)LEARN_UNITS * s->room * sizeof *s->numbers;
}

bool sample_create(sample *s, uint32_t states)
{
  *s = (sample){.room = states};
  s->numbers = mem_try_alloc(sample_bytes(s));
  return pair_counter_create(&s->pairs, states) && s->numbers;
}

void sample_destroy(sample *s)
{
  mem_free(s->numbers, sample_bytes(s));
  pair_counter_destroy(&s->pairs);
  *s = (sample){0};
}

/* ---- the first clusters ----------------------------------------------- */

static size_t number_bytes(const learner *l)
{
  return l->sample->states * sizeof(uint32_t);
}

static const uint32_t *numbers_of(const sample *s, uint32_t u)
{
  return s->numbers + (size_t)u * s->room;
}

/* Whether so many bytes of these units fit into a block. */
static bool fit_block(const sample *s, uint64_t units, uint32_t bytes)
{
  bool is_even = s->even >= LEARN_UNITS || !(units >> s->even);
  return bytes <= blocks_room(is_even);
}

/* Begins a cluster with unit 'u'. */
static bool begin_cluster(learner *l, uint32_t u)
{
  const sample *s = l->sample;
  cluster *g = &l->clusters[l->count];
  *g = (cluster){.left = -1, .right = -1};
  g->numbers = mem_try_alloc(number_bytes(l));
  if (!g->numbers)
    return false;
  l->count++;
  g->units = UINT64_C(1) << u;
  g->bytes = s->bytes[u];
  g->values = learn_join(l->pairs, numbers_of(s, u), numbers_of(s, u),
                         s->states, g->numbers);
  return true;
}

/* Whether unit 'u' may join the cluster begun last: that has not many more
** values then. */
static bool joins_cluster(learner *l, uint32_t u)
{
  const sample *s = l->sample;
  const cluster *g = &l->clusters[l->count - 1];
  const uint32_t *own = numbers_of(s, u);
  if (!fit_block(s, g->units | UINT64_C(1) << u, g->bytes + s->bytes[u]))
    return false;
  uint32_t alone = learn_join(l->pairs, own, own, s->states, NULL);
  uint32_t most = 2 * (alone > g->values ? alone : g->values);
  uint32_t values = learn_join(l->pairs, g->numbers, own, s->states, NULL);
  return values <= (most > s->states / 64 ? most : s->states / 64);
}

/* Step 1. */
static bool begin_clusters(learner *l)
{
  const sample *s = l->sample;
  for (uint32_t u = 0; u < s->units; u++) {
    if (!u || !joins_cluster(l, u)) {
      if (!begin_cluster(l, u))
        return false;
      continue;
    }
    cluster *g = &l->clusters[l->count - 1];
    g->units |= UINT64_C(1) << u;
    g->bytes += s->bytes[u];
    g->values = learn_join(l->pairs, g->numbers, numbers_of(s, u), s->states,
                           g->numbers);
  }
  return true;
}

/* ---- clusters ----------------------------------------------------------- */

/* What is known of the values that cluster 'g' has together with each earlier
** one: at least as many as each has, and at most as many as there are pairs and
** states. */
static void expect_together(learner *l, int g)
{
  uint32_t own = l->clusters[g].values, states = l->sample->states;
  for (int i = 0; i < g; i++) {
    uint32_t other = l->clusters[i].values;
    uint32_t least = own > other ? own : other;
    l->together[i][g] =
        (shared_values){least, least == states || own == 1 || other == 1};
  }
}

/* The two clusters with the fewest values together, as far as is known. */
static shared_values *find_closest(learner *l, const int *live, int count,
                                   int *a, int *b)
{
  shared_values *least = NULL;
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count; k++) {
      shared_values *v = &l->together[live[i]][live[k]];
      if (least && least->least <= v->least)
        continue;
      least = v;
      *a = live[i];
      *b = live[k];
    }
  return least;
}

static bool join_clusters(learner *l, int a, int b)
{
  cluster *g = &l->clusters[l->count];
  const cluster *one = &l->clusters[a], *other = &l->clusters[b];
  *g = (cluster){.units = one->units | other->units,
                 .bytes = one->bytes + other->bytes,
                 .left = a,
                 .right = b};
  g->numbers = mem_try_alloc(number_bytes(l));
  if (!g->numbers)
    return false;
  g->values = learn_join(l->pairs, one->numbers, other->numbers,
                         l->sample->states, g->numbers);
  l->clusters[a].is_joined = l->clusters[b].is_joined = true;
  expect_together(l, l->count++);
  return true;
}

/* Those that are not joined to larger ones, in order. */
static int find_live(const learner *l, int *live)
{
  int count = 0;
  for (int g = 0; g < l->count; g++)
    if (!l->clusters[g].is_joined)
      live[count++] = g;
  return count;
}

/* ---- packed nodes ------------------------------------------------------------ */

enum {
  PACKED_MOST = 8, /* clusters */
  ROW_BITS =
      8 * 25, /* of a row, with its place in the index and what is free */
  /* What a state may cost, its root and all, before packing is worth the time:
  ** wider roots are moved more often. */
  BEARABLE_BITS = 48
};

static uint32_t bits_for(uint64_t most)
{
  return most ? 64 - (uint32_t)__builtin_clzll(most) : 0;
}

uint64_t learn_roots(uint64_t population, uint32_t bits)
{
  enum { SLOTS = 20, FREE = 10 }; /* of a bucket; one slot in so many */
  uint64_t states = population * LEARN_GROWTH;
  uint32_t buckets = bits_for(states / SLOTS) + 12;
  uint64_t each = 16 + (bits > buckets ? bits - buckets : 0);
  return states * each * FREE / (FREE - 1) / ROW_BITS;
}

static learn_cost cost_of_cluster(learner *l, int g)
{
  cluster *own = &l->clusters[g];
  if (!own->cost.near)
    own->cost = cost_of(l->sample, own->numbers, own->values);
  return own->cost;
}

static uint64_t rows_of(learner *l, int g)
{
  return cost_of_cluster(l, g).far;
}

/* One that has the fewest rows comes first. */
static void sort_by_rows(learner *l, int *list, int count)
{
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && rows_of(l, list[k - 1]) > rows_of(l, list[k]);
         k--) {
      int other = list[k];
      list[k] = list[k - 1];
      list[k - 1] = other;
    }
}

/* Gives the clusters of a half their bits, with room for twice as many numbers
** as there will be, or some more where all seem to be there; the one with the most rows, which
** comes last, has all that are left.  How many bits will be used; more than
** TREE_PACKED: it cannot be. */
static uint32_t set_bits(learner *l, half *h)
{
  uint32_t used = bits_for(rows_of(l, h->parts[h->count - 1])), others = 0;
  for (int i = 0; i + 1 < h->count; i++) {
    uint64_t rows = rows_of(l, h->parts[i]);
    bool grows = rows > l->clusters[h->parts[i]].values;
    h->bits[i] = (uint8_t)bits_for(grows ? 2 * rows : rows + rows / 8);
    others += h->bits[i];
  }
  if (h->count > 1 && others + used <= TREE_PACKED)
    h->bits[h->count - 1] = (uint8_t)(TREE_PACKED - others);
  return others + used;
}

/* What it would cost to pack these clusters, in rows of tables. */
static void consider(learner *l, const int *live, int count)
{
  half halves[2] = {{0}, {0}};
  uint32_t bits[2] = {0, 0};
  int list[PACKED_MOST];
  uint64_t cost = 0;
  memcpy(list, live, (size_t)count * sizeof *list);
  sort_by_rows(l, list, count);
  for (int i = 0; i < count; i++) {
    int side = bits[0] > bits[1];
    side = halves[side].count == 4 ? !side : side;
    halves[side].parts[halves[side].count++] = list[i];
    bits[side] = set_bits(l, &halves[side]);
    cost += rows_of(l, list[i]);
  }
  if (bits[0] > TREE_PACKED || bits[1] > TREE_PACKED)
    return;
  cost += learn_roots(l->sample->population, bits[0] + bits[1]);
  if (cost >= l->packed_cost)
    return;
  memcpy(l->packed, halves, sizeof halves);
  l->packed_cost = cost;
}

/* Step 2.  Two are counted when no others can have fewer. */
static bool find_clusters(learner *l)
{
  int live[2 * LEARN_UNITS], count, a = 0, b = 0;
  for (int g = 1; g < l->count; g++)
    expect_together(l, g);
  while ((count = find_live(l, live)) > 2) {
    shared_values *v;
    while (!(v = find_closest(l, live, count, &a, &b))->is_known)
      *v = (shared_values){learn_join(l->pairs, l->clusters[a].numbers,
                                      l->clusters[b].numbers, l->sample->states,
                                      NULL),
                           true};
    if (count <= PACKED_MOST)
      consider(l, live, count);
    if (!join_clusters(l, a, b))
      return false;
  }
  return true;
}

/* ---- plan ------------------------------------------------------------- */

/* Step 3. */
static bool is_block(const learner *l, int g)
{
  const cluster *own = &l->clusters[g];
  return own->left < 0 || fit_block(l->sample, own->units, own->bytes);
}

/* Replaces the child with the most values by its own children, as long as
** there is room for them. */
static int find_children(const learner *l, int g, int child[4])
{
  int count = 2;
  child[0] = l->clusters[g].left;
  child[1] = l->clusters[g].right;
  while (count < 4) {
    int most = -1;
    for (int i = 0; i < count; i++)
      if (!is_block(l, child[i]) &&
          (most < 0 ||
           l->clusters[child[i]].values > l->clusters[child[most]].values))
        most = i;
    if (most < 0)
      break;
    const cluster *from = &l->clusters[child[most]];
    child[most] = from->left;
    child[count++] = from->right;
  }
  return count;
}

/* The blocks get their numbers, in any order. */
static void plan_blocks(learner *l, block_plan *p, int g)
{
  cluster *own = &l->clusters[g];
  if (!is_block(l, g)) {
    plan_blocks(l, p, own->left);
    plan_blocks(l, p, own->right);
    return;
  }
  own->index = (uint16_t)p->blocks++;
  for (uint32_t u = 0; u < l->sample->units; u++)
    if (own->units >> u & 1)
      p->of[u] = (uint8_t)own->index;
  if (l->sample->even >= LEARN_UNITS || !(own->units >> l->sample->even))
    p->even |= UINT64_C(1) << own->index;
}

/* Step 4: plans what is under cluster 'g', children first. */
static uint16_t plan_cluster(learner *l, tree_plan *p, int g, learn_cost *cost)
{
  cluster *own = &l->clusters[g];
  int child[4];
  cost->near += cost_of_cluster(l, g).near;
  cost->far += cost_of_cluster(l, g).far;
  if (is_block(l, g))
    return own->index;
  tree_node node = {
      {TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD}};
  int count = find_children(l, g, child);
  for (int i = 0; i < count; i++)
    node.child[i] = plan_cluster(l, p, child[i], cost);
  p->nodes[p->inner] = node;
  return (uint16_t)(p->leaves + p->inner++);
}

/* What stands for a half. */
static uint16_t plan_half(learner *l, tree_plan *p, const half *h,
                          learn_cost *cost)
{
  tree_node node = {
      {TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD}};
  if (h->count == 1)
    return plan_cluster(l, p, h->parts[0], cost);
  for (int i = 0; i < h->count; i++)
    node.child[i] = plan_cluster(l, p, h->parts[i], cost);
  p->nodes[p->inner] = node;
  return (uint16_t)(p->leaves + p->inner++);
}

static void plan_halves(learner *l, block_tree_plan *p, const half halves[2],
                        learn_cost *cost)
{
  *cost = (learn_cost){0, 0};
  p->blocks = (block_plan){.limit = BLOCK_BYTES,
                           .units = l->sample->units,
                           .unit_bytes = l->sample->unit_bytes};
  for (int i = 0; i < 2; i++) {
    memcpy(p->tree.bits[i], halves[i].bits, sizeof halves[i].bits);
    for (int k = 0; k < halves[i].count; k++)
      plan_blocks(l, &p->blocks, halves[i].parts[k]);
  }
  p->tree.leaves = p->blocks.blocks;
  p->tree.inner = 0;
  p->tree.left = plan_half(l, &p->tree, &halves[0], cost);
  p->tree.right = plan_half(l, &p->tree, &halves[1], cost);
}

static void plan_all(learner *l, block_tree_plan *p, learn_cost *cost)
{
  half root[2] = {{.count = 1}, {.count = 1}};
  uint32_t bits = 0;
  int found = 0;
  for (int g = 0; g < l->count; g++)
    if (!l->clusters[g].is_joined && found < 2)
      root[found++].parts[0] = g;
  plan_halves(l, p, root, cost);
  for (int i = 0; i < 2; i++)
    bits += bits_for(rows_of(l, root[i].parts[0]));
  cost->far += learn_roots(l->sample->population, bits);
  uint64_t states = l->sample->population * LEARN_GROWTH;
  if (cost->far < states * BEARABLE_BITS / ROW_BITS ||
      l->packed_cost >= cost->far ||
      cost->far - l->packed_cost < states / LEARN_WORTH)
    return;
  plan_halves(l, p, l->packed, cost);
  cost->far = l->packed_cost;
}

bool learn_plan(sample *s, block_tree_plan *p, learn_cost *cost)
{
  learner *l = mem_try_alloc(sizeof *l);
  if (!l)
    return false;
  l->sample = s;
  l->packed_cost = UINT64_MAX;
  l->pairs = &s->pairs;
  bool done = begin_clusters(l) && l->count >= 2 && find_clusters(l);
  if (done)
    plan_all(l, p, cost);
  for (int g = 0; g < l->count; g++)
    mem_free(l->clusters[g].numbers, number_bytes(l));
  mem_free(l, sizeof *l);
  return done;
}
