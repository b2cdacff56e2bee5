/* Finds blocks that are worth joining and clusters that vary together, by
** counting their values in the sample. */

#include "store/tree/tree_learn.h"
#include "base/alloc.h"
#include "base/hash.h"

/* A cluster of units, which becomes a leaf, a node, or nothing. */
typedef struct cluster {
  uint64_t units;
  uint32_t bytes;
  uint32_t values;   /* different ones in the sample */
  uint32_t *numbers; /* of the states; belongs to the cluster */
  int left, right;   /* clusters it was made of; -1: none */
  bool is_joined;    /* to a larger one */
  uint16_t index;    /* in the plan */
} cluster;

typedef struct learner {
  const sample *sample;
  cluster clusters[2 * LEARN_UNITS];
  int count;
  uint32_t together[2 * LEARN_UNITS][2 * LEARN_UNITS];
} learner;

/* ---- sample ----------------------------------------------------------- */

static size_t sample_bytes(const sample *s)
{
  return (size_t)LEARN_UNITS * s->room * sizeof *s->numbers;
}

bool sample_create(sample *s, uint32_t states)
{
  *s = (sample){.room = states};
  s->numbers = mem_try_alloc(sample_bytes(s));
  return s->numbers != NULL;
}

void sample_destroy(sample *s)
{
  mem_free(s->numbers, sample_bytes(s));
  *s = (sample){0};
}

/* ---- counting --------------------------------------------------------- */

/* An open table of pairs; a slot with the number 0 is free. */
typedef struct pair_slot {
  uint64_t pair;
  uint32_t number;
} pair_slot;

uint32_t learn_join(const uint32_t *a, const uint32_t *b, uint32_t states,
                    uint32_t *joined)
{
  uint32_t slots = 64, count = 0;
  while (slots < 2 * states)
    slots *= 2;
  pair_slot *table = mem_try_alloc(slots * sizeof *table);
  if (!table)
    return 0;
  for (uint32_t i = 0; i < states; i++) {
    uint64_t pair = (uint64_t)a[i] << 32 | b[i];
    uint32_t at = (uint32_t)hash_mix(pair) & (slots - 1);
    while (table[at].number && table[at].pair != pair)
      at = (at + 1) & (slots - 1);
    if (!table[at].number)
      table[at] = (pair_slot){pair, ++count};
    if (joined)
      joined[i] = table[at].number;
  }
  mem_free(table, slots * sizeof *table);
  return count;
}

/* Numbers from 1 on, of which 'most' is the largest. */
static uint64_t cost_of(const uint32_t *numbers, uint32_t states, uint32_t most)
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

uint64_t learn_cost(const uint32_t *numbers, uint32_t states)
{
  uint32_t *own = mem_try_alloc(states * sizeof *own);
  if (!own)
    return 0;
  uint32_t most = learn_join(numbers, numbers, states, own);
  uint64_t cost = most ? cost_of(own, states, most) : 0;
  mem_free(own, states * sizeof *own);
  return cost;
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
  g->values =
      learn_join(numbers_of(s, u), numbers_of(s, u), s->states, g->numbers);
  return g->values != 0;
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
  uint32_t alone = learn_join(own, own, s->states, NULL);
  uint32_t most = 2 * (alone > g->values ? alone : g->values);
  uint32_t values = learn_join(g->numbers, own, s->states, NULL);
  return values && values <= (most > s->states / 64 ? most : s->states / 64);
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
    g->values = learn_join(g->numbers, numbers_of(s, u), s->states, g->numbers);
    if (!g->values)
      return false;
  }
  return true;
}

/* ---- clusters ----------------------------------------------------------- */

/* Counts the values that cluster 'g' has together with each earlier one. */
static bool count_together(learner *l, int g)
{
  for (int i = 0; i < g; i++) {
    if (l->clusters[i].is_joined)
      continue;
    l->together[i][g] =
        learn_join(l->clusters[i].numbers, l->clusters[g].numbers,
                   l->sample->states, NULL);
    if (!l->together[i][g])
      return false;
  }
  return true;
}

/* The two clusters with the fewest values together. */
static void find_closest(const learner *l, int *a, int *b)
{
  uint32_t least = UINT32_MAX;
  for (int i = 0; i < l->count; i++)
    for (int k = i + 1; k < l->count; k++)
      if (!l->clusters[i].is_joined && !l->clusters[k].is_joined &&
          l->together[i][k] < least) {
        least = l->together[i][k];
        *a = i;
        *b = k;
      }
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
  l->count++;
  g->values = learn_join(l->clusters[a].numbers, l->clusters[b].numbers,
                         l->sample->states, g->numbers);
  l->clusters[a].is_joined = l->clusters[b].is_joined = true;
  return g->values && count_together(l, l->count - 1);
}

/* Step 2. */
static bool find_clusters(learner *l)
{
  int first = l->count;
  for (int g = 1; g < first; g++)
    if (!count_together(l, g))
      return false;
  for (int left = first; left > 2; left--) {
    int a = 0, b = 0;
    find_closest(l, &a, &b);
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
static uint16_t plan_cluster(learner *l, tree_plan *p, int g, uint64_t *cost)
{
  cluster *own = &l->clusters[g];
  int child[4];
  *cost += cost_of(own->numbers, l->sample->states, own->values);
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

static void plan_all(learner *l, block_tree_plan *p, uint64_t *cost)
{
  int root[2] = {0, 0}, found = 0;
  *cost = 0;
  p->blocks = (block_plan){.limit = BLOCK_BYTES,
                           .units = l->sample->units,
                           .unit_bytes = l->sample->unit_bytes};
  for (int g = 0; g < l->count; g++)
    if (!l->clusters[g].is_joined && found < 2) {
      root[found++] = g;
      plan_blocks(l, &p->blocks, g);
    }
  p->tree.leaves = p->blocks.blocks;
  p->tree.inner = 0;
  p->tree.left = plan_cluster(l, &p->tree, root[0], cost);
  p->tree.right = plan_cluster(l, &p->tree, root[1], cost);
}

bool learn_plan(const sample *s, block_tree_plan *p, uint64_t *cost)
{
  learner *l = mem_try_alloc(sizeof *l);
  if (!l)
    return false;
  l->sample = s;
  bool done = begin_clusters(l) && l->count >= 2 && find_clusters(l);
  if (done)
    plan_all(l, p, cost);
  for (int g = 0; g < l->count; g++)
    mem_free(l->clusters[g].numbers, number_bytes(l));
  mem_free(l, sizeof *l);
  return done;
}
