/* The set 'tree' for tuples of any codec (store/tree/tree.h); 'collapse+tree'
** has its own, quicker one.  Every length of tuples has a tree of its own.
**
** A tuple usually differs from the one before it in few elements: only the
** nodes above these are looked up again.  Tuples with more elements than a tree
** has leaves are folded first: each four elements are replaced by their number
** in a table of their place. */

#include "base/alloc.h"
#include "store/set.h"
#include "store/tree/tree.h"

enum {
  LEAST_LEAVES = 4, /* so that roots are pairs of nodes */
  MOST_LEAVES = COMPONENTS_LIMIT,
  MOST_ELEMENTS = 16 * MOST_LEAVES, /* of a tuple; more are refused */
  LIMIT_LOOK = 4096                 /* insertions between looks at the memory */
};

/* The tuples of one length. */
typedef struct grove {
  tree tree;
  uint32_t *values; /* of the tuple inserted last, if there is one */
  uint64_t *dirty;
  bool at_hand;
  quads *folds; /* tables of all rounds of folding */
  uint32_t fold_count;
  uint32_t *folded; /* a tuple that is being folded */
  uint32_t length;  /* of its tuples */
} grove;

typedef struct tree_set {
  grove **groves; /* by length; NULL: there was none of this length */
  uint32_t room;
  uint64_t count;
  size_t max_bytes;
  uint32_t inserted; /* since the memory was looked at */
  bool over_limit;
} tree_set;

static size_t value_bytes(const grove *g)
{
  return tree_values(&g->tree) * sizeof *g->values;
}

static size_t dirty_bytes(const grove *g)
{
  return g->tree.words * sizeof *g->dirty;
}

static uint32_t folds_of(uint32_t length)
{
  uint32_t sum = 0;
  for (; length > MOST_LEAVES; sum += length)
    length = (length + 3) / 4;
  return sum;
}

static uint32_t leaves_of(uint32_t length)
{
  while (length > MOST_LEAVES)
    length = (length + 3) / 4;
  return length < LEAST_LEAVES ? LEAST_LEAVES : length;
}

static void destroy_grove(grove *g)
{
  if (!g)
    return;
  uint32_t folds = folds_of(g->length);
  for (uint32_t i = 0; i < g->fold_count; i++)
    quads_destroy(&g->folds[i]);
  mem_free(g->folds, folds * sizeof *g->folds);
  mem_free(g->folded, (g->length + 3) * sizeof *g->folded);
  mem_free(g->values, value_bytes(g));
  mem_free(g->dirty, dirty_bytes(g));
  tree_destroy(&g->tree);
  mem_free(g, sizeof *g);
}

/* The tables for tuples that are too long for a tree. */
static bool make_folds(grove *g)
{
  uint32_t folds = folds_of(g->length);
  if (!folds)
    return true;
  g->folds = mem_try_alloc(folds * sizeof *g->folds);
  g->folded = mem_try_alloc((g->length + 3) * sizeof *g->folded);
  if (!g->folds || !g->folded)
    return false;
  for (; g->fold_count < folds; g->fold_count++)
    if (!quads_create(&g->folds[g->fold_count]))
      return false;
  return true;
}

static grove *create_grove(const tree_set *s, uint32_t length)
{
  grove *g = mem_try_alloc(sizeof *g);
  tree_plan plan;
  if (!g)
    return NULL;
  tree_plan_even(&plan, leaves_of(length));
  if (!tree_create(&g->tree, &plan, s->max_bytes)) {
    mem_free(g, sizeof *g);
    return NULL;
  }
  g->length = length;
  g->values = mem_try_alloc(value_bytes(g));
  g->dirty = mem_try_alloc(dirty_bytes(g));
  if (g->values && g->dirty && make_folds(g))
    return g;
  destroy_grove(g);
  return NULL;
}

static void destroy(set *base)
{
  tree_set *s = (tree_set *)base;
  if (!s)
    return;
  for (uint32_t i = 0; i < s->room; i++)
    destroy_grove(s->groves[i]);
  mem_free(s->groves, s->room * sizeof *s->groves);
  mem_free(s, sizeof *s);
}

static set *create(const set_settings *settings)
{
  tree_set *s = mem_try_alloc(sizeof *s);
  if (s)
    s->max_bytes = settings->max_bytes;
  return (set *)s;
}

static bool make_room(tree_set *s, uint32_t length)
{
  uint32_t room = length + 16;
  grove **grown =
      mem_try_resize(s->groves, s->room * sizeof *grown, room * sizeof *grown);
  if (!grown)
    return false;
  for (uint32_t i = s->room; i < room; i++)
    grown[i] = NULL;
  s->groves = grown;
  s->room = room;
  return true;
}

static grove *grove_of(tree_set *s, uint32_t length)
{
  if (length > MOST_ELEMENTS || (length >= s->room && !make_room(s, length)))
    return NULL;
  if (!s->groves[length])
    s->groves[length] = create_grove(s, length);
  return s->groves[length];
}

static size_t grove_bytes(const grove *g)
{
  size_t sum = sizeof *g + tree_bytes(&g->tree) + value_bytes(g) +
               dirty_bytes(g) + g->fold_count * sizeof *g->folds;
  for (uint32_t i = 0; i < g->fold_count; i++)
    sum += quads_bytes(&g->folds[i]);
  return sum;
}

static size_t bytes(const set *base)
{
  const tree_set *s = (const tree_set *)base;
  size_t sum = sizeof *s + s->room * sizeof *s->groves;
  for (uint32_t i = 0; i < s->room; i++)
    if (s->groves[i])
      sum += grove_bytes(s->groves[i]);
  return sum;
}

/* Puts the elements into place and marks the nodes above those that changed. */
static void place(grove *g, const uint32_t *tuple, uint32_t length)
{
  uint32_t words = g->tree.words;
  memset(g->dirty, g->at_hand ? 0 : 0xff, dirty_bytes(g));
  for (uint32_t i = 0; i < length; i++) {
    if (g->at_hand && g->values[i] == tuple[i])
      continue;
    g->values[i] = tuple[i];
    for (uint32_t w = 0; w < words; w++)
      g->dirty[w] |= g->tree.above[i * words + w];
  }
}

/* Folds a tuple until a tree has leaves for it; false: no memory. */
static bool fold(grove *g, const uint32_t **tuple, uint32_t *length)
{
  uint32_t n = *length, *list = g->folded, used = 0;
  if (n <= MOST_LEAVES)
    return true;
  memcpy(list, *tuple, n * sizeof *list);
  while (n > MOST_LEAVES) {
    list[n] = list[n + 1] = list[n + 2] = 0;
    n = (n + 3) / 4;
    for (uint32_t i = 0; i < n; i++, used++) {
      const uint32_t *four = list + (size_t)4 * i;
      quad q = quad_of(four[0], four[1], four[2], four[3]);
      list[i] = quads_number(&g->folds[used], q, quad_hash(q));
      if (list[i] == QUADS_FULL)
        return false;
    }
  }
  *tuple = list;
  *length = n;
  return true;
}

static store_result insert(set *base, const uint32_t *tuple, uint32_t length)
{
  tree_set *s = (tree_set *)base;
  grove *g = grove_of(s, length);
  if (++s->inserted >= LIMIT_LOOK) {
    s->inserted = 0;
    s->over_limit = bytes(base) > s->max_bytes;
  }
  if (!g || s->over_limit || !fold(g, &tuple, &length))
    return STORE_FULL;
  place(g, tuple, length);
  g->at_hand = tree_refresh_many(&g->tree, g->values, g->dirty, 1);
  if (!g->at_hand)
    return STORE_FULL;
  roots *r = &g->tree.roots;
  tree_handle handle = tree_root(&g->tree, g->values);
  uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
  if (!roots_fits(r, left, right) && !roots_widen(r, left, right))
    return STORE_FULL;
  switch (roots_insert(r, roots_locate(r, left, right), left, right)) {
  case ROOTS_NEW:
    s->count++;
    return STORE_NEW;
  case ROOTS_SEEN:
    return STORE_SEEN;
  default:
    return STORE_FULL;
  }
}

static uint64_t count(const set *base)
{
  const tree_set *s = (const tree_set *)base;
  return s->count;
}

static bool check(const set *base)
{
  const tree_set *s = (const tree_set *)base;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->room; i++) {
    if (!s->groves[i])
      continue;
    sum += s->groves[i]->tree.roots.count;
    if (!tree_check(&s->groves[i]->tree))
      return false;
    for (uint32_t k = 0; k < s->groves[i]->fold_count; k++)
      if (!quads_check(&s->groves[i]->folds[k]))
        return false;
  }
  return sum == s->count;
}

const set_class set_tree = {
    .name = "tree",
    .summary = "tuples as trees whose equal parts are stored once",
    .exact = true,
    .create = create,
    .insert = insert,
    .count = count,
    .bytes = bytes,
    .check = check,
    .destroy = destroy,
};
