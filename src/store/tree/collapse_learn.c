/* When 'collapse+tree' looks for a better tree, and from what. */

#include "base/alloc.h"
#include "base/hash.h"
#include "store/tree/collapse_tree_internal.h"
#include "store/tree/tree_learn.h"

#include <stdlib.h>

enum {
  LEARN_AGAIN = 8,        /* with so many times as many states; */
  LEARN_SOON = 2,         /* or so many, where it is bad, or may become so; */
  LEARN_FREELY = 1 << 18, /* fewer states are soon moved */
  LEARN_BY_CONTENT = 1 << 20 /* of fewer, the sample is chosen so */
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
  block_any_cut cut;
  uint64_t next, step; /* every step-th state is taken */
  bool failed;
} sampler;

/* A state, and the hash of its content. */
typedef struct chosen_state {
  uint64_t hash;
  uint32_t left, right;
} chosen_state;

enum { CHOSEN_MOST = 2 * LEARN_STATES };

/* States for samples, twice as many as fit. */
typedef struct choice {
  sampler *by;
  uint64_t step; /* one in so many is taken */
  uint32_t count;
  chosen_state list[CHOSEN_MOST];
} choice;

/* The number of a unit's bytes. */
static uint32_t number_unit(sampler *p, uint32_t u, const uint8_t *bytes,
                            uint32_t length)
{
  part *own = &p->parts[u];
  if (!own->index.slots && !collapse_create_part(own))
    return COLLAPSE_FULL;
  own->is_short = u < p->sample.even && p->sample.unit_bytes <= 8;
  return collapse_number(own, bytes, length, length);
}

/* Chooses by the content of a state alone, so that the sample, and the plan made
** from it, are the same in whatever order states were found. */
static void choose_state(void *context, uint32_t left, uint32_t right)
{
  choice *c = context;
  sampler *p = c->by;
  tree_decode(&p->from->tree, (uint64_t)left << 32 | right, p->values);
  uint32_t length =
      block_tree_decode(p->from, p->values, p->keys, &p->cut.cut, p->state);
  uint64_t hash = hash_bytes(p->state, length);
  if (hash % c->step == 0 && c->count < CHOSEN_MOST)
    c->list[c->count++] = (chosen_state){hash, left, right};
}

static int compare_chosen(const void *a, const void *b)
{
  const chosen_state *x = a, *y = b;
  return (x->hash > y->hash) - (x->hash < y->hash);
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
      block_tree_decode(p->from, values, p->keys, &p->cut.cut, p->state);
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

/* Chooses states for all samples; those of a very large set are taken as they
** come. */
static void choose_states(choice *c, sampler *p)
{
  c->by = p;
  c->step = p->step;
  roots_each(&p->from->tree.roots, choose_state, c);
  qsort(c->list, c->count, sizeof *c->list, compare_chosen);
}

/* A sample of those chosen, or of all states. */
static void take_samples(sampler *p, const choice *c)
{
  if (!c) {
    roots_each(&p->from->tree.roots, take_sample, p);
    return;
  }
  p->step = 1;
  for (uint32_t i = 0; i < c->count; i++)
    take_sample(p, c->list[i].left, c->list[i].right);
}

/* What the tables there are cost. */
static learn_cost cost_now(sampler *p)
{
  const tree *t = &p->from->tree;
  uint32_t n = p->sample.states, stride = tree_values(t);
  learn_cost cost = {0, 0};
  uint32_t *column = mem_try_alloc(n * sizeof *column);
  for (uint32_t v = 0; column && v < t->leaves + t->inner; v++) {
    if (v >= t->leaves && tree_is_packed(t, v - t->leaves))
      continue;
    for (uint32_t i = 0; i < n; i++)
      column[i] = p->values[(size_t)i * stride + v];
    learn_cost more = learn_cost_of(&p->sample, column);
    cost.near += more.near;
    cost.far += more.far;
  }
  mem_free(column, n * sizeof *column);
  cost.far += learn_roots(t->roots.count, t->roots.bits);
  return cost;
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

/* Units of so many bytes, or whole components where these are too many. */
static void set_units(sample *s, const component_map *m, uint32_t unit_bytes)
{
  s->unit_bytes = unit_bytes;
  if (blocks_even_units(m, s->unit_bytes) > LEARN_UNITS / 2)
    s->unit_bytes = UINT32_MAX;
  s->even = blocks_even_units(m, s->unit_bytes);
}

/* Whether there are so few states that only a tree which is bad is looked at. */
static bool is_early(const collapse_tree *s)
{
  return s->now.tree.roots.count < s->learn_fully;
}

/* NULL: no memory. */
static sampler *sampler_create(const collapse_tree *s, uint32_t unit_bytes)
{
  const tree *t = &s->now.tree;
  sampler *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  p->from = &s->now;
  blocks_open(&p->cut);
  uint32_t room = is_early(s) ? LEARN_STATES / 2 : LEARN_STATES;
  p->step = 1 + t->roots.count / room;
  bool made = sample_create(&p->sample, room);
  p->sample.population = t->roots.count;
  set_units(&p->sample, &s->map, unit_bytes);
  p->values = mem_try_alloc((size_t)p->sample.room * tree_values(t) * 4);
  p->keys = mem_try_alloc((t->leaves + 1) * sizeof *p->keys);
  p->state = mem_try_alloc(s->longest + COLLAPSE_SLACK);
  if (made && p->values && p->keys && p->state)
    return p;
  sampler_destroy(p, s->longest);
  return NULL;
}

/* A plan, and what it and the tree there is cost. */
typedef struct proposal {
  block_tree_plan plan;
  bool is_there; /* there is a plan */
  learn_cost now, then;
} proposal;

/* Makes a plan from units of so many bytes.  The first chooses the states, if
** there is a place for them. */
static void propose(const collapse_tree *s, uint32_t unit_bytes, choice *c,
                    proposal *o)
{
  sampler *p = sampler_create(s, unit_bytes);
  *o = (proposal){.is_there = false};
  if (!p)
    return;
  if (c && !c->count)
    choose_states(c, p);
  take_samples(p, c);
  o->now = cost_now(p);
  o->is_there = !p->failed && p->sample.states &&
                learn_plan(&p->sample, &o->plan, &o->then);
  sampler_destroy(p, s->longest);
}

/* Whether a plan costs clearly less: half, if it has more lookups; anything, if
** it has fewer.  Nodes that are packed are no lookups. */
static bool is_better(const tree *t, const proposal *o)
{
  if (!o->is_there)
    return false;
  if (learn_packs(&o->plan))
    return o->then.far < o->now.far - o->now.far / 8;
  uint64_t now = o->now.near, then = o->then.near;
  if (o->plan.tree.inner > t->inner)
    return then < now / 2;
  return then < (o->plan.tree.inner < t->inner ? now : now - now / 4);
}

/* By which plans are compared.  Roots are made wider only for what is worth most
** of a byte a state. */
static uint64_t expense(const proposal *o, uint64_t states)
{
  uint64_t least = states * LEARN_GROWTH / LEARN_WORTH;
  if (!o->is_there)
    return UINT64_MAX;
  return o->then.far + (learn_packs(&o->plan) ? least : 0);
}

/* Finds a better plan.  Where that costs clearly more than narrow roots alone,
** smaller units are tried.  Whether there is one. */
static bool find_plan(const collapse_tree *s, block_tree_plan *plan)
{
  proposal best, other;
  choice *c = NULL;
  uint64_t states = s->now.tree.roots.count;
  uint64_t enough = learn_roots(states, 0) + states / 4;
  if (states <= LEARN_BY_CONTENT)
    c = mem_try_alloc(sizeof *c);
  propose(s, 8, c, &best);
  for (uint32_t unit = 2; unit && expense(&best, states) > enough &&
                          blocks_even_units(&s->map, unit) <= LEARN_UNITS / 2;
       unit--) {
    propose(s, unit, c, &other);
    if (expense(&other, states) < expense(&best, states))
      best = other;
  }
  mem_free(c, c ? sizeof *c : 0);
  *plan = best.plan;
  return is_better(&s->now.tree, &best);
}

/* Whether some table has an entry for every other state or more. */
static bool is_crowded(const collapse_tree *s)
{
  const block_tree *b = &s->now;
  uint32_t most = 0;
  for (uint32_t i = 0; i < b->tree.leaves; i++)
    most = b->blocks[i].count > most ? b->blocks[i].count : most;
  for (uint32_t i = 0; i < b->tree.inner; i++)
    most = b->tree.tables[i].count > most ? b->tree.tables[i].count : most;
  return most > b->tree.roots.count / 2;
}

/* Whether a packed node has more below it than its bits can tell: some of its
** numbers are in a table, and as large as numbers get. */
static bool has_outgrown(const tree *t)
{
  uint64_t nodes = t->packed;
  while (nodes && !t->tables[__builtin_ctzll(nodes)].count)
    nodes &= nodes - 1;
  return nodes;
}

bool collapse_tree_learn(collapse_tree *s, const store_offer *o, uint32_t count)
{
  const roots *r = &s->now.tree.roots;
  bool is_small = r->count < LEARN_FREELY;
  bool is_bad = is_small && is_crowded(s);
  bool is_soon = s->now.tree.packed || is_bad;
  s->learn_at = is_early(s) ? s->learn_fully
                            : r->count * (is_soon ? LEARN_SOON : LEARN_AGAIN);
  if (is_early(s) && !is_bad)
    return false;
  size_t tables = block_tree_bytes(&s->now) - roots_bytes(r);
  if (tables < (is_small ? roots_bytes(r) / 2 : roots_bytes(r)))
    return has_outgrown(&s->now.tree) && collapse_tree_repack(s, o);
  block_tree_plan plan;
  if (find_plan(s, &plan))
    return collapse_tree_reshape(s, &plan, o, count);
  return has_outgrown(&s->now.tree) && collapse_tree_repack(s, o);
}
