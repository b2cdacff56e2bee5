/* When 'collapse+tree' looks for a better tree, and from what. */

#include "base/alloc.h"
#include "store/tree/collapse_tree_internal.h"
#include "store/tree/tree_learn.h"

enum {
  LEARN_AGAIN = 8,       /* with so many times as many states */
  LEARN_FREELY = 1 << 18 /* fewer states are soon moved */
};

/* Takes some of the states for a sample, and counts the entries they need in
** the tables there are. */
typedef struct sampler {
  const block_tree *from;
  sample sample;
  part parts[LEARN_UNITS]; /* number the units */
  uint32_t *values;        /* of the trees of the states, one after the other */
  quad *keys;
  uint8_t *state;
  block_cut cut;
  uint64_t next, step; /* every step-th state is taken */
  bool failed;
} sampler;

/* The number of a unit's bytes. */
static uint32_t number_unit(sampler *p, uint32_t u, const uint8_t *bytes,
                            uint32_t length)
{
  part *own = &p->parts[u];
  if (!own->index.slots && !collapse_create_part(own))
    return COLLAPSE_FULL;
  return collapse_number(own, bytes, length, length);
}

static void take_sample(void *context, uint32_t left, uint32_t right)
{
  sampler *p = context;
  sample *s = &p->sample;
  if (p->failed || p->next++ % p->step || s->states == s->room)
    return;
  uint32_t starts[BLOCK_UNITS + 1];
  uint32_t *values =
      p->values + (size_t)s->states * tree_values(&p->from->tree);
  tree_decode(&p->from->tree, (uint64_t)left << 32 | right, values);
  uint32_t length =
      block_tree_decode(p->from, values, p->keys, &p->cut, p->state);
  uint32_t n =
      blocks_units(&p->from->map, s->unit_bytes, p->state, length, starts);
  if (n > LEARN_UNITS) {
    p->failed = true;
    return;
  }
  s->units = n > s->units ? n : s->units;
  for (uint32_t u = 0; u < n; u++) {
    uint32_t bytes = starts[u + 1] - starts[u];
    uint32_t number = number_unit(p, u, p->state + starts[u], bytes);
    p->failed |= number == COLLAPSE_FULL;
    s->numbers[(size_t)u * s->room + s->states] = number;
    s->bytes[u] = bytes > s->bytes[u] ? bytes : s->bytes[u];
  }
  s->states++;
}

/* The entries of all tables that the sampled states need. */
static uint64_t count_entries(const sampler *p)
{
  const tree *t = &p->from->tree;
  uint32_t n = p->sample.states, stride = tree_values(t);
  uint64_t entries = 0;
  uint32_t *column = mem_try_alloc(n * sizeof *column);
  for (uint32_t v = 0; column && v < t->leaves + t->inner; v++) {
    for (uint32_t i = 0; i < n; i++)
      column[i] = p->values[(size_t)i * stride + v];
    entries += learn_join(column, column, n, NULL);
  }
  mem_free(column, n * sizeof *column);
  return entries;
}

static void sampler_destroy(sampler *p, uint32_t longest)
{
  const tree *t = &p->from->tree;
  mem_free(p->values, (size_t)p->sample.room * tree_values(t) * 4);
  mem_free(p->keys, (t->leaves + 1) * sizeof *p->keys);
  mem_free(p->state, longest + COLLAPSE_SLACK);
  for (uint32_t i = 0; i < LEARN_UNITS; i++)
    collapse_destroy_part(&p->parts[i]);
  sample_destroy(&p->sample);
  mem_free(p, sizeof *p);
}

/* Units of 8 bytes, or whole components where these are too many. */
static void set_units(sample *s, const component_map *m)
{
  s->unit_bytes = 8;
  if (blocks_even_units(m, s->unit_bytes) > LEARN_UNITS / 2)
    s->unit_bytes = UINT32_MAX;
  s->even = blocks_even_units(m, s->unit_bytes);
}

/* NULL: no memory. */
static sampler *sampler_create(const collapse_tree *s)
{
  const tree *t = &s->now.tree;
  sampler *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  p->from = &s->now;
  p->step = 1 + t->roots.count / LEARN_STATES;
  bool made = sample_create(&p->sample, LEARN_STATES);
  set_units(&p->sample, &s->map);
  p->values = mem_try_alloc((size_t)p->sample.room * tree_values(t) * 4);
  p->keys = mem_try_alloc((t->leaves + 1) * sizeof *p->keys);
  p->state = mem_try_alloc(s->longest + COLLAPSE_SLACK);
  if (made && p->values && p->keys && p->state)
    return p;
  sampler_destroy(p, s->longest);
  return NULL;
}

/* Finds a plan that needs clearly fewer entries.  Whether it does. */
static bool find_plan(const collapse_tree *s, block_tree_plan *plan)
{
  sampler *p = sampler_create(s);
  uint64_t now, then;
  if (!p)
    return false;
  roots_each(&s->now.tree.roots, take_sample, p);
  now = count_entries(p);
  bool better = !p->failed && p->sample.states &&
                learn_plan(&p->sample, plan, &then) && then < now - now / 4;
  sampler_destroy(p, s->longest);
  return better;
}

bool collapse_tree_learn(collapse_tree *s, const store_offer *o, uint32_t count)
{
  const roots *r = &s->now.tree.roots;
  s->learn_at = r->count * LEARN_AGAIN;
  size_t tables = block_tree_bytes(&s->now) - roots_bytes(r);
  if (tables < (r->count < LEARN_FREELY ? roots_bytes(r) / 2 : roots_bytes(r)))
    return false;
  block_tree_plan plan;
  return find_plan(s, &plan) && collapse_tree_reshape(s, &plan, o, count);
}
