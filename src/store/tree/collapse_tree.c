/* Encodes by what changed; makes the tree again, wider or as learned, and
** translates handles. */

#include "store/tree/collapse_tree.h"
#include "base/alloc.h"
#include "store/tree/tree_learn.h"

enum {
  SLACK = 2 * BLOCK_BYTES, /* whole blocks are read and written */
  QUERIES = 128,           /* blocks looked up together */
  LEARN_AGAIN = 8,         /* with so many times as many states */
  LEARN_FREELY = 1 << 18   /* fewer states are soon moved */
};

/* ---- set-up ----------------------------------------------------------- */

static size_t value_count(const tree *t)
{
  return (size_t)(STORE_HANDS + TREE_TOGETHER) * tree_values(t);
}

static size_t key_count(const tree *t)
{
  return (size_t)(STORE_HANDS + 1) * t->leaves;
}

/* What is as large as the tree is wide. */
typedef struct buffers {
  uint32_t *values;
  quad *keys;
} buffers;

static bool make_buffers(buffers *b, const tree *t)
{
  b->values = mem_try_alloc(value_count(t) * sizeof *b->values);
  b->keys = mem_try_alloc(key_count(t) * sizeof *b->keys);
  return b->values && b->keys;
}

static void give_buffers(buffers b, const tree *t)
{
  mem_free(b.values, value_count(t) * sizeof *b.values);
  mem_free(b.keys, key_count(t) * sizeof *b.keys);
}

static buffers buffers_of(const collapse_tree *s)
{
  return (buffers){s->values, s->keys};
}

/* Gives the hands their places in the buffers; nothing is at hand then. */
static void set_hands(collapse_tree *s)
{
  const tree *t = &s->now.tree;
  for (uint32_t i = 0; i < STORE_HANDS && !s->map.fixed; i++)
    s->cuts[i].count = 0;
  for (uint32_t i = 0; i < STORE_HANDS; i++)
    s->hands[i] = (collapse_tree_hand){
        .cut = s->map.fixed ? &s->now.cut : s->cuts + i,
        .values = s->values + (size_t)i * tree_values(t),
        .keys = s->keys + (size_t)i * t->leaves,
        .state = s->room ? s->room + (size_t)i * s->room_each : NULL,
    };
}

static size_t cut_bytes(const collapse_tree *s)
{
  return s->map.fixed ? 0 : STORE_HANDS * sizeof *s->cuts;
}

static void destroy(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  if (!s)
    return;
  give_buffers(buffers_of(s), &s->now.tree);
  block_tree_destroy(&s->now);
  collapse_tree_forget(s);
  mem_free(s->cuts, cut_bytes(s));
  mem_free(s->room, (size_t)STORE_HANDS * s->room_each);
  mem_free(s, sizeof *s);
}

/* The first tree is for states with nothing but globals, where the map does not
** tell more. */
static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  collapse_tree *s = mem_try_alloc(sizeof *s);
  const component_map *m = settings->map;
  if (!s)
    return NULL;
  s->map = *m;
  s->max_bytes = settings->max_bytes;
  s->learn_at = settings->learn_at ? settings->learn_at : UINT64_MAX;
  uint32_t length = m->fixed ? m->offsets[m->count] : m->globals_bytes;
  block_tree_plan plan;
  block_tree_plan_for(&plan, m, NULL, length);
  if (!block_tree_create(&s->now, m, &plan, NULL, length, s->max_bytes)) {
    mem_free(s, sizeof *s);
    return NULL;
  }
  buffers b;
  bool made = make_buffers(&b, &s->now.tree);
  s->values = b.values;
  s->keys = b.keys;
  s->cuts = m->fixed ? NULL : mem_try_alloc(cut_bytes(s));
  if (!made || (!m->fixed && !s->cuts)) {
    destroy((store *)s);
    return NULL;
  }
  set_hands(s);
  return (store *)s;
}

/* ---- rebuilding the tree ----------------------------------------------- */

typedef collapse_tree_mover mover;

static tree_handle move_state(mover *m, tree_handle handle)
{
  uint32_t *old_values = m->values + tree_values(&m->to->tree);
  tree_decode(&m->from->tree, handle, old_values);
  uint32_t length = block_tree_decode(m->from, old_values, m->keys, m->state);
  block_cut *cut = &m->cut;
  blocks_cut_again(&m->to->map, &m->to->plan, m->state, length, cut);
  m->most_blocks = cut->count > m->most_blocks ? cut->count : m->most_blocks;
  if (!block_tree_encode(m->to, cut, m->state, m->values))
    m->failed = true;
  return tree_root(&m->to->tree, m->values);
}

static void move_root(void *context, uint32_t left, uint32_t right)
{
  mover *m = context;
  roots *to = &m->to->tree.roots;
  /* A tree with too few leaves is made once more: by how many is found out. */
  bool is_narrow = m->most_blocks > m->to->tree.leaves;
  if (m->failed && !is_narrow)
    return;
  tree_handle h = move_state(m, (uint64_t)left << 32 | right);
  left = (uint32_t)(h >> 32);
  right = (uint32_t)h;
  if (m->failed ||
      (!roots_fits(to, left, right) && !roots_widen(to, left, right)) ||
      roots_insert(to, roots_locate(to, left, right), left, right) ==
          ROOTS_FULL)
    m->failed = true;
}

static bool mover_create(mover *m, block_tree *to, const block_tree *from,
                         uint32_t longest)
{
  *m = (mover){.to = to, .from = from};
  m->value_bytes =
      (tree_values(&to->tree) + tree_values(&from->tree)) * sizeof *m->values;
  m->key_bytes = from->tree.leaves * sizeof *m->keys;
  m->state_bytes = longest + SLACK;
  m->values = mem_try_alloc(m->value_bytes);
  m->keys = mem_try_alloc(m->key_bytes);
  m->state = mem_try_alloc(m->state_bytes);
  return m->values && m->keys && m->state;
}

static void mover_destroy(mover *m)
{
  mem_free(m->values, m->value_bytes);
  mem_free(m->keys, m->key_bytes);
  mem_free(m->state, m->state_bytes);
  memset(m, 0, sizeof *m);
}

static bool move_all(mover *m)
{
  roots_each(&m->from->tree.roots, move_root, m);
  return !m->failed;
}

/* Rebuilds the tree by a plan.  The old one is kept for 'translate', without
** its roots.  Nothing is given up before all is there.  False: no memory, or
** some state has more blocks than the tree would have leaves; '*blocks' gets
** the most that one has. */
static bool make_tree(collapse_tree *s, const block_tree_plan *plan,
                      const store_offer *o, uint32_t *blocks)
{
  block_tree grown;
  buffers b = {NULL, NULL};
  if (s->old.tree.leaves || !block_tree_create(&grown, &s->map, plan, o->state,
                                               o->length, s->max_bytes))
    return false;
  bool done = mover_create(&s->mover, &grown, &s->now, s->longest) &&
              make_buffers(&b, &grown.tree) && move_all(&s->mover);
  *blocks = s->mover.most_blocks;
  if (!done) {
    mover_destroy(&s->mover);
    give_buffers(b, &grown.tree);
    block_tree_destroy(&grown);
    return false;
  }
  give_buffers(buffers_of(s), &s->now.tree);
  s->values = b.values;
  s->keys = b.keys;
  s->old = s->now;
  s->now = grown;
  s->mover.to = &s->now;
  s->mover.from = &s->old;
  set_hands(s);
  roots_destroy(&s->old.tree.roots);
  return true;
}

/* Rebuilds the tree by a plan, with leaves for all that is stored and
** offered. */
static bool reshape(collapse_tree *s, block_tree_plan *plan,
                    const store_offer *offers, uint32_t count)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t blocks =
        blocks_count(&s->map, &plan->blocks, offers[i].state, offers[i].length);
    most = blocks > most ? blocks : most;
  }
  block_tree_plan_widen(plan, most);
  if (make_tree(s, plan, offers, &most))
    return true;
  if (most <= plan->tree.leaves)
    return false;
  block_tree_plan_widen(plan, most);
  return make_tree(s, plan, offers, &most);
}

/* No memory is needed: all blocks and nodes are there. */
store_handle collapse_tree_translate(collapse_tree *s, store_handle handle)
{
  return move_state(&s->mover, handle);
}

void collapse_tree_forget(collapse_tree *s)
{
  block_tree_destroy(&s->old);
  mover_destroy(&s->mover);
}

/* ---- learning --------------------------------------------------------- */

/* Takes some of the states for a sample, and counts the entries they need in
** the tables there are. */
typedef struct sampler {
  const block_tree *from;
  sample sample;
  collapse codec;   /* numbers the components */
  uint32_t *values; /* of the trees of the states, one after the other */
  quad *keys;
  uint8_t *state;
  uint64_t next, step; /* every step-th state is taken */
  bool failed;
} sampler;

static void take_sample(void *context, uint32_t left, uint32_t right)
{
  sampler *p = context;
  sample *s = &p->sample;
  if (p->failed || p->next++ % p->step || s->states == s->room)
    return;
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  uint32_t *values =
      p->values + (size_t)s->states * tree_values(&p->from->tree);
  tree_decode(&p->from->tree, (uint64_t)left << 32 | right, values);
  uint32_t length = block_tree_decode(p->from, values, p->keys, p->state);
  uint32_t n = components_split(&p->from->map, p->state, length, offsets);
  if (n > LEARN_COMPONENTS) {
    p->failed = true;
    return;
  }
  s->components = n > s->components ? n : s->components;
  for (uint32_t c = 0; c < n; c++) {
    uint32_t bytes = offsets[c + 1] - offsets[c];
    uint32_t number = collapse_number(&p->codec.parts[c], p->state + offsets[c],
                                      bytes, bytes);
    p->failed |= number == COLLAPSE_FULL;
    s->numbers[(size_t)c * s->room + s->states] = number;
    s->bytes[c] = bytes > s->bytes[c] ? bytes : s->bytes[c];
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
  mem_free(p->keys, t->leaves * sizeof *p->keys);
  mem_free(p->state, longest + SLACK);
  collapse_destroy(&p->codec);
  sample_destroy(&p->sample);
}

static bool sampler_create(sampler *p, const collapse_tree *s)
{
  const tree *t = &s->now.tree;
  *p = (sampler){.from = &s->now, .step = 1 + t->roots.count / LEARN_STATES};
  collapse_create(&p->codec, &s->map);
  bool made = sample_create(&p->sample, LEARN_STATES);
  p->values = mem_try_alloc((size_t)p->sample.room * tree_values(t) * 4);
  p->keys = mem_try_alloc(t->leaves * sizeof *p->keys);
  p->state = mem_try_alloc(s->longest + SLACK);
  return made && p->values && p->keys && p->state &&
         collapse_extend(&p->codec, LEARN_COMPONENTS);
}

/* Finds a plan that needs clearly fewer entries.  Whether it does. */
static bool find_plan(const collapse_tree *s, block_tree_plan *plan)
{
  sampler p;
  uint64_t now, then;
  bool better = false;
  if (sampler_create(&p, s)) {
    roots_each(&s->now.tree.roots, take_sample, &p);
    now = count_entries(&p);
    better = !p.failed && p.sample.states &&
             learn_plan(&p.sample, plan, &then) && then < now - now / 4;
  }
  sampler_destroy(&p, s->longest);
  return better;
}

/* When the tables need much memory beside the roots, looks for a better way to
** cut states and rebuilds the tree.  Not finding one is no error. */
static void learn(collapse_tree *s, const store_offer *o, uint32_t count)
{
  const roots *r = &s->now.tree.roots;
  s->learn_at = r->count * LEARN_AGAIN;
  size_t tables = block_tree_bytes(&s->now) - roots_bytes(r);
  if (tables < (r->count < LEARN_FREELY ? roots_bytes(r) / 2 : roots_bytes(r)))
    return;
  block_tree_plan plan;
  if (find_plan(s, &plan))
    reshape(s, &plan, o, count);
}

/* ---- encoding --------------------------------------------------------- */

/* Blocks whose numbers are asked for together. */
typedef struct questions {
  uint32_t count;
  quads_query list[QUERIES];
} questions;

/* A tuple under construction: its values and the inner nodes that must be
** recomputed. */
typedef struct draft {
  uint32_t *values;
  uint64_t *dirty;
  questions *questions;
} draft;

/* The inner nodes above leaf 'i' must be recomputed. */
static inline void touch(const tree *t, const draft *d, uint32_t i)
{
  const uint64_t *nodes = &t->above[i * t->words];
  for (uint32_t w = 0; w < t->words; w++)
    d->dirty[w] |= nodes[w];
}

/* Block 'i' gets its number, now or later. */
static inline bool ask(collapse_tree *s, const draft *d, uint32_t i, quad key)
{
  quads *table = &s->now.blocks[i];
  questions *q = d->questions;
  touch(&s->now.tree, d, i);
  if (quads_is_near(table)) {
    d->values[i] = quads_number(table, key, quad_hash(key));
    return d->values[i] != QUADS_FULL;
  }
  if (q->count == QUERIES) {
    if (!quads_answer(q->list, QUERIES))
      return false;
    q->count = 0;
  }
  quads_ask(&q->list[q->count++], table, key, &d->values[i]);
  return true;
}

/* Encodes block 'i' of a state that is cut like the one at hand. */
static inline bool encode_block(collapse_tree *s, const collapse_tree_hand *h,
                                const uint8_t *state, uint32_t i,
                                const draft *d)
{
  quad key;
  return block_tree_key(&s->now, h->cut, i, state, &key) &&
         (quad_equal(key, h->keys[i]) || ask(s, d, i, key));
}

/* Encodes the blocks with changed components. */
static bool encode_changed(collapse_tree *s, const collapse_tree_hand *h,
                           const store_offer *o, const draft *d)
{
  const block_cut *cut = h->cut;
  uint32_t done = UINT32_MAX; /* components come in order, and so do blocks */
  for (uint64_t left = o->changed & UINT64_MAX >> 1; left; left &= left - 1) {
    uint32_t i = cut->of[__builtin_ctzll(left)];
    if (i != done && !encode_block(s, h, o->state, i, d))
      return false;
    done = i;
  }
  if (!(o->changed >> 63))
    return true;
  for (uint32_t i = cut->of[63]; i < cut->count; i++)
    if (i != done && !encode_block(s, h, o->state, i, d))
      return false;
  return true;
}

/* Encodes all blocks; those that stand in the hand, too, are known. */
static bool encode_all(collapse_tree *s, const collapse_tree_hand *h,
                       const store_offer *o, const draft *d)
{
  block_cut cut;
  const tree *t = &s->now.tree;
  blocks_cut(&s->map, &s->now.plan, o->state, o->length, &cut);
  uint32_t known = h->is_used ? h->cut->count : 0;
  for (uint32_t i = 0; i < cut.count; i++) {
    quad key;
    if (!block_tree_key(&s->now, &cut, i, o->state, &key))
      return false;
    if (!(i < known && quad_equal(key, h->keys[i])) && !ask(s, d, i, key))
      return false;
  }
  for (uint32_t i = cut.count; i < known; i++) {
    d->values[i] = 0;
    touch(t, d, i);
  }
  return true;
}

/* Whether the state is cut like the one at hand. */
static inline bool is_alike(const collapse_tree_hand *h, const store_offer *o)
{
  return h->is_used && o->changed != UINT64_MAX && o->length == h->length;
}

/* Whether all states are cut like those at hand, and so neither longer than
** those known nor of more blocks. */
static bool are_alike(const collapse_tree *s, const store_offer *o,
                      uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!is_alike(&s->hands[o[i].hand], &o[i]))
      return false;
  return true;
}

/* Makes the tree large enough for all that is offered. */
static bool make_leaves(collapse_tree *s, const store_offer *o, uint32_t count)
{
  const store_offer *longest = NULL;
  uint32_t most = s->now.tree.leaves;
  for (uint32_t i = 0; i < count && !s->map.fixed; i++) {
    if (is_alike(&s->hands[o[i].hand], &o[i]))
      continue;
    uint32_t blocks =
        blocks_count(&s->map, &s->now.plan, o[i].state, o[i].length);
    if (blocks <= most)
      continue;
    most = blocks;
    longest = &o[i];
  }
  if (!longest)
    return true;
  block_tree_plan plan;
  block_tree_plan_for(&plan, &s->map, longest->state, longest->length);
  return reshape(s, &plan, o, count);
}

/* 'view' writes a state at hand into its room, which is enough for every state
** that is stored.  Nothing is at hand after more room was made. */
static bool room_for(collapse_tree *s, uint32_t bytes)
{
  if (bytes > s->longest)
    s->longest = bytes;
  if (bytes + SLACK <= s->room_each)
    return true;
  uint32_t each = bytes + bytes / 4 + 2 * SLACK;
  uint8_t *room = mem_try_resize(s->room, (size_t)STORE_HANDS * s->room_each,
                                 (size_t)STORE_HANDS * each);
  if (!room)
    return false;
  s->room = room;
  s->room_each = each;
  set_hands(s);
  return true;
}

static bool make_room(collapse_tree *s, const store_offer *o, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (o[i].length > s->longest && !room_for(s, o[i].length))
      return false;
  return true;
}

static size_t bytes(const store *base)
{
  const collapse_tree *s = (const collapse_tree *)base;
  return sizeof *s + (size_t)STORE_HANDS * s->room_each + cut_bytes(s) +
         value_count(&s->now.tree) * sizeof *s->values +
         key_count(&s->now.tree) * sizeof *s->keys + block_tree_bytes(&s->now) +
         (s->old.tree.leaves ? block_tree_bytes(&s->old) : 0);
}

/* Looks at the memory of all tables once in a while; the roots, by far the
** largest, keep to the limit themselves. */
static bool is_over_limit(collapse_tree *s, uint32_t count)
{
  s->offered += count;
  if (s->offered < 65536)
    return s->over_limit;
  s->offered = 0;
  s->over_limit = bytes((const store *)s) > s->max_bytes;
  return s->over_limit;
}

/* Finds the places of the encoded tuples among the roots. */
static bool find_places(collapse_tree *s, const uint32_t *values,
                        collapse_tree_probe *probes, uint32_t count)
{
  const tree *t = &s->now.tree;
  roots *r = &s->now.tree.roots;
  uint32_t lefts = 0, rights = 0, stride = tree_values(t);
  for (uint32_t i = 0; i < count; i++, values += stride) {
    probes[i].handle = tree_root(t, values);
    lefts |= values[t->left];
    rights |= values[t->right];
  }
  if (!roots_fits(r, lefts, rights) && !roots_widen(r, lefts, rights))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    probes[i].place = roots_locate(r, (uint32_t)(probes[i].handle >> 32),
                                   (uint32_t)probes[i].handle);
    probes[i].shape = r->shape;
    roots_prefetch(r, probes[i].place);
  }
  return true;
}

/* Begins a tuple with that of the state at hand.  Values are whole rows. */
static inline void begin(const collapse_tree_hand *h, const draft *d,
                         uint32_t values, uint32_t words)
{
  uint64_t dirty = h->is_used ? 0 : UINT64_MAX;
  for (uint32_t w = 0; w < words; w++)
    d->dirty[w] = dirty;
  if (!h->is_used)
    memset(d->values, 0, values * sizeof *d->values);
  else
    for (uint32_t i = 0; i < values; i += 4)
      memcpy(d->values + i, h->values + i, 4 * sizeof *d->values);
}

bool collapse_tree_prepare(collapse_tree *s, const store_offer *offers,
                           collapse_tree_probe *probes, uint32_t count)
{
  uint64_t dirty[TREE_TOGETHER * (COMPONENTS_LIMIT / 64 + 1)];
  questions later;
  later.count = 0;
  if (is_over_limit(s, count) ||
      (!are_alike(s, offers, count) &&
       (!make_room(s, offers, count) || !make_leaves(s, offers, count))))
    return false;
  if (s->now.tree.roots.count >= s->learn_at && !s->old.tree.leaves)
    learn(s, offers, count);
  tree *t = &s->now.tree;
  uint32_t n = tree_values(t);
  uint32_t *values = s->values + (size_t)STORE_HANDS * n;
  for (uint32_t i = 0; i < count; i++) {
    const collapse_tree_hand *h = &s->hands[offers[i].hand];
    draft d = {values + (size_t)i * n, dirty + i * t->words, &later};
    begin(h, &d, n, t->words);
    if (!(is_alike(h, &offers[i]) ? encode_changed(s, h, &offers[i], &d)
                                  : encode_all(s, h, &offers[i], &d)))
      return false;
  }
  return quads_answer(later.list, later.count) &&
         tree_refresh_many(t, values, dirty, count) &&
         find_places(s, values, probes, count);
}

/* ---- decoding --------------------------------------------------------- */

/* The table of a child of the root. */
static const quads *table_of(const block_tree *b, uint16_t child)
{
  return child < b->tree.leaves ? &b->blocks[child]
                                : &b->tree.tables[child - b->tree.leaves];
}

void collapse_tree_foresee(const collapse_tree *s, store_handle handle)
{
  const tree *t = &s->now.tree;
  const quads *left = table_of(&s->now, t->left);
  const quads *right = table_of(&s->now, t->right);
  __builtin_prefetch(&left->list[(uint32_t)(handle >> 32)]);
  __builtin_prefetch(&right->list[(uint32_t)handle]);
}

const uint8_t *collapse_tree_view(collapse_tree *s, store_handle handle,
                                  uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  collapse_tree_hand *h = &s->hands[hand];
  tree_decode(&s->now.tree, handle, h->values);
  h->length = *length =
      block_tree_decode(&s->now, h->values, h->keys, h->state);
  if (!s->map.fixed)
    blocks_cut_again(&s->map, &s->now.plan, h->state, h->length,
                     &s->cuts[hand]);
  h->is_used = true;
  return h->state;
}

/* ---- the class -------------------------------------------------------- */

/* Decodes into the room of a hand that is not used. */
static uint32_t fetch(const store *base, store_handle handle, uint8_t *out)
{
  const collapse_tree *s = (const collapse_tree *)base;
  const tree *t = &s->now.tree;
  uint32_t values[2 * COMPONENTS_LIMIT + 1];
  tree_decode(t, handle, values);
  uint8_t *room = s->room + (size_t)(STORE_HANDS - 1) * s->room_each;
  uint32_t length = block_tree_decode(
      &s->now, values, s->keys + (size_t)STORE_HANDS * t->leaves, room);
  if (length)
    memcpy(out, room, length);
  return length;
}

static uint64_t count(const store *s)
{
  return ((const collapse_tree *)s)->now.tree.roots.count;
}

static uint32_t max_length(const store *s)
{
  return ((const collapse_tree *)s)->longest;
}

static bool check(const store *base)
{
  return block_tree_check(&((const collapse_tree *)base)->now);
}

static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_handle parent, uint64_t changed,
                           store_handle *handle)
{
  collapse_tree *s = collapse_tree_of(base);
  collapse_tree_probe probe;
  (void)parent, (void)changed;
  if (!room_for(s, length))
    return STORE_FULL;
  /* The state gets room behind it: that of a hand. */
  collapse_tree_hand *h = &s->hands[0];
  h->is_used = false;
  if (length)
    memcpy(h->state, state, length);
  store_offer offer = {
      .state = h->state, .length = length, .changed = UINT64_MAX};
  bool done = collapse_tree_prepare(s, &offer, &probe, 1);
  if (s->old.tree.leaves) /* nobody holds handles across this call */
    collapse_tree_forget(s);
  return done ? collapse_tree_insert(s, probe, &offer, handle) : STORE_FULL;
}

const store_class store_collapse_tree = {
    .codec = "collapse",
    .set = "tree",
    .summary = "components numbered, tuples as trees; smallest at "
               "full speed",
    .exact = true,
    .dense = false,
    .loop = STORE_BY_collapse_tree,
    .create = create,
    .insert = insert,
    .fetch = fetch,
    .count = count,
    .bytes = bytes,
    .max_length = max_length,
    .check = check,
    .destroy = destroy,
};
