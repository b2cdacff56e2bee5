/* Finds blocks that are worth joining and clusters that vary together, by
** counting their values in the sample. */

#include "store/tree/tree_learn.h"
#include "base/alloc.h"
#include "base/hash.h"

/* A cluster of blocks, which becomes a leaf, a node, or nothing. */
typedef struct cluster {
  uint32_t values;   /* different ones in the sample */
  uint32_t *numbers; /* of the states; belongs to the cluster */
  int left, right;   /* clusters it was made of; -1: it is a block */
  bool is_joined;    /* to a larger one */
  uint16_t index;    /* in the plan */
} cluster;

typedef struct learner {
  const sample *sample;
  cluster clusters[2 * LEARN_COMPONENTS];
  int count;
  uint32_t together[2 * LEARN_COMPONENTS][2 * LEARN_COMPONENTS];
} learner;

/* ---- sample ----------------------------------------------------------- */

static size_t sample_bytes(const sample *s)
{
  return (size_t)LEARN_COMPONENTS * s->room * sizeof *s->numbers;
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

/* ---- blocks ----------------------------------------------------------- */

static size_t number_bytes(const learner *l)
{
  return l->sample->states * sizeof(uint32_t);
}

/* Begins a cluster with component 'c'. */
static bool begin_block(learner *l, uint32_t c)
{
  const sample *s = l->sample;
  cluster *g = &l->clusters[l->count];
  *g = (cluster){.left = -1, .right = -1};
  g->numbers = mem_try_alloc(number_bytes(l));
  if (!g->numbers)
    return false;
  l->count++;
  const uint32_t *own = s->numbers + (size_t)c * s->room;
  g->values = learn_join(own, own, s->states, g->numbers);
  return g->values != 0;
}

/* Whether component 'c' may join the block begun last: that has not many more
** values then. */
static bool joins_block(learner *l, uint32_t c, uint32_t *values)
{
  const sample *s = l->sample;
  const cluster *g = &l->clusters[l->count - 1];
  const uint32_t *own = s->numbers + (size_t)c * s->room;
  uint32_t alone = learn_join(own, own, s->states, NULL);
  uint32_t most = 2 * (alone > g->values ? alone : g->values);
  *values = learn_join(g->numbers, own, s->states, NULL);
  return *values && *values <= (most > s->states / 64 ? most : s->states / 64);
}

/* Step 1. */
static bool find_blocks(learner *l, block_plan *plan)
{
  const sample *s = l->sample;
  uint32_t bytes = 0, values;
  *plan = (block_plan){.limit = BLOCK_BYTES};
  for (uint32_t c = 0; c < s->components; c++) {
    bool fits = c && bytes + s->bytes[c] < BLOCK_BYTES;
    if (fits && joins_block(l, c, &values)) {
      cluster *g = &l->clusters[l->count - 1];
      const uint32_t *own = s->numbers + (size_t)c * s->room;
      bytes += s->bytes[c];
      g->values = learn_join(g->numbers, own, s->states, g->numbers);
      if (!g->values)
        return false;
      continue;
    }
    plan->breaks |= UINT64_C(1) << c;
    bytes = s->bytes[c];
    if (!begin_block(l, c))
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
  *g = (cluster){.left = a, .right = b};
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
  int blocks = l->count;
  for (int g = 1; g < blocks; g++)
    if (!count_together(l, g))
      return false;
  for (int left = blocks; left > 2; left--) {
    int a = 0, b = 0;
    find_closest(l, &a, &b);
    if (!join_clusters(l, a, b))
      return false;
  }
  return true;
}

/* ---- plan ------------------------------------------------------------- */

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
      if (l->clusters[child[i]].left >= 0 &&
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

/* Step 3: plans what is under cluster 'g', children first. */
static uint16_t plan_cluster(learner *l, tree_plan *p, int g, uint64_t *entries)
{
  cluster *own = &l->clusters[g];
  int child[4];
  *entries += own->values;
  if (own->left < 0)
    return own->index;
  tree_node node = {
      {TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD}};
  int count = find_children(l, g, child);
  for (int i = 0; i < count; i++)
    node.child[i] = plan_cluster(l, p, child[i], entries);
  p->nodes[p->inner] = node;
  return (uint16_t)(p->leaves + p->inner++);
}

static void plan_tree(learner *l, tree_plan *p, uint64_t *entries)
{
  int root[2] = {0, 0}, found = 0;
  p->leaves = p->inner = 0;
  *entries = 0;
  for (int g = 0; g < l->count; g++) {
    if (l->clusters[g].left < 0)
      l->clusters[g].index = (uint16_t)p->leaves++;
    if (!l->clusters[g].is_joined && found < 2)
      root[found++] = g;
  }
  p->left = plan_cluster(l, p, root[0], entries);
  p->right = plan_cluster(l, p, root[1], entries);
}

bool learn_plan(const sample *s, block_tree_plan *p, uint64_t *entries)
{
  learner *l = mem_try_alloc(sizeof *l);
  if (!l)
    return false;
  l->sample = s;
  bool done = find_blocks(l, &p->blocks) && l->count >= 2 && find_clusters(l);
  if (done)
    plan_tree(l, &p->tree, entries);
  for (int g = 0; g < l->count; g++)
    mem_free(l->clusters[g].numbers, number_bytes(l));
  mem_free(l, sizeof *l);
  return done;
}
