/* Encodes by what changed; rebuilds the tree, wider or as learned, and
** translates handles. */

#include "base/alloc.h"
#include "store/tree/collapse_tree_internal.h"

/* ---- set-up ----------------------------------------------------------- */

static size_t value_count(const tree *t)
{
  return (size_t)(STORE_HANDS + TREE_TOGETHER) * tree_values(t);
}

static size_t key_count(const tree *t)
{
  return (size_t)(STORE_HANDS + 1) * t->leaves + 1;
}

/* What is as large as the tree is wide. */
typedef struct buffers {
  uint32_t *values;
  quad *keys;
} buffers;

static bool make_buffers(buffers *b, const tree *t)
{
  b->values = mem_try_alloc_apart(value_count(t) * sizeof *b->values);
  b->keys = mem_try_alloc_apart(key_count(t) * sizeof *b->keys);
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

void collapse_tree_set_hands(collapse_tree *s)
{
  const tree *t = &s->now.tree;
  for (uint32_t i = 0; i < STORE_HANDS && !s->map.fixed; i++) {
    s->cuts[i].count = 0;
    s->cuts[i].entries =
        s->entries ? s->entries + (size_t)i * s->entries_each : NULL;
  }
  for (uint32_t i = 0; i < STORE_HANDS; i++)
    s->hands[i] = (collapse_tree_hand){
        .length = UINT32_MAX,
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

static size_t entry_bytes(const collapse_tree *s)
{
  return (size_t)STORE_HANDS * s->entries_each * sizeof *s->entries;
}

bool collapse_tree_follow(collapse_tree *s, const collapse_tree *shared)
{
  buffers b = buffers_of(s);
  const tree *t = &shared->now.tree;
  bool is_other = !s->values || s->trees != shared->trees;
  if (is_other && !make_buffers(&b, t)) {
    give_buffers(b, t);
    return false;
  }
  if (is_other)
    give_buffers(buffers_of(s), &s->now.tree);
  s->now = shared->now;
  s->trees = shared->trees;
  s->values = b.values;
  s->keys = b.keys;
  if (!s->map.fixed && !s->cuts &&
      !(s->cuts = mem_try_alloc_apart(cut_bytes(s))))
    return false;
  if (is_other)
    collapse_tree_set_hands(s);
  return true;
}

void collapse_tree_drop_hands(collapse_tree *s)
{
  give_buffers(buffers_of(s), &s->now.tree);
  mem_free(s->cuts, cut_bytes(s));
  mem_free(s->entries, entry_bytes(s));
  mem_free(s->room, (size_t)STORE_HANDS * s->room_each);
}

static void destroy(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  if (!s)
    return;
  tree_share_destroy(s->share);
  collapse_tree_drop_hands(s);
  block_tree_destroy(&s->now);
  collapse_tree_forget(s);
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
  s->learn_fully = settings->learn_at ? settings->learn_at : UINT64_MAX;
  s->learn_at =
      settings->learn_at ? 1 + settings->learn_at / LEARN_EARLY : UINT64_MAX;
  s->ways = encode_ways_up_to(ENCODE_WIDE);
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
  collapse_tree_set_hands(s);
  return (store *)s;
}

/* ---- rebuilding the tree ----------------------------------------------- */

typedef collapse_tree_mover mover;

/* The number that a child of the root gets in a tree with the same tables and
** other bits for what is packed. */
static uint32_t number_anew(mover *m, uint32_t child, uint32_t number)
{
  const tree *from = &m->from->tree;
  uint32_t node = child - from->leaves;
  if (child < from->leaves || !tree_is_packed(from, node))
    return number;
  quad q = tree_unpack(from, node, number);
  const uint16_t *below = from->nodes[node].child;
  m->values[below[0]] = (uint32_t)q.low;
  m->values[below[1]] = (uint32_t)(q.low >> 32);
  m->values[below[2]] = (uint32_t)q.high;
  m->values[below[3]] = (uint32_t)(q.high >> 32);
  number = tree_pack(&m->to->tree, m->values, node);
  m->failed |= number == QUADS_FULL;
  return number;
}

static tree_handle move_state(mover *m, tree_handle handle)
{
  const tree *old = &m->from->tree;
  if (m->keeps_tables)
    return (uint64_t)number_anew(m, old->left, (uint32_t)(handle >> 32)) << 32 |
           number_anew(m, old->right, (uint32_t)handle);
  uint32_t *old_values = m->values + tree_values(&m->to->tree);
  tree_decode(old, handle, old_values);
  uint32_t length = block_tree_decode(m->from, old_values, m->keys,
                                      &m->cuts[1].cut, m->state);
  block_cut *cut = &m->cuts[0].cut;
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
  bool is_unmarked =
      to->marks && !roots_is_marked(&m->from->tree.roots, left, right);
  tree_handle h = move_state(m, (uint64_t)left << 32 | right);
  left = (uint32_t)(h >> 32);
  right = (uint32_t)h;
  if (m->failed ||
      (!roots_fits(to, left, right) && !roots_widen(to, left, right)) ||
      roots_insert(to, roots_locate(to, left, right), left, right) ==
          ROOTS_FULL)
    m->failed = true;
  else if (is_unmarked)
    roots_mark(to, left, right, false);
}

static bool mover_create(mover *m, block_tree *to, const block_tree *from,
                         uint32_t longest)
{
  *m = (mover){.to = to, .from = from};
  m->value_bytes =
      (tree_values(&to->tree) + tree_values(&from->tree)) * sizeof *m->values;
  m->key_bytes = (from->tree.leaves + 1) * sizeof *m->keys;
  m->state_bytes = longest + COLLAPSE_SLACK;
  m->values = mem_try_alloc(m->value_bytes);
  m->keys = mem_try_alloc(m->key_bytes);
  m->state = mem_try_alloc(m->state_bytes);
  m->cuts = mem_try_alloc(2 * sizeof *m->cuts);
  for (int i = 0; m->cuts && i < 2; i++)
    blocks_open(&m->cuts[i]);
  return m->values && m->keys && m->state && m->cuts;
}

static void mover_destroy(mover *m)
{
  mem_free(m->values, m->value_bytes);
  mem_free(m->keys, m->key_bytes);
  mem_free(m->state, m->state_bytes);
  mem_free(m->cuts, 2 * sizeof *m->cuts);
  memset(m, 0, sizeof *m);
}

static bool move_all(mover *m)
{
  roots_each(&m->from->tree.roots, move_root, m);
  return !m->failed;
}

/* The largest number of a child of the root in a tree that has its tables, where
** numbers of nodes that are not packed are up to 'usual'. */
static uint32_t most_of(const block_tree *t, uint32_t child, uint32_t usual)
{
  uint32_t node = child - t->tree.leaves;
  return child < t->tree.leaves || !tree_is_packed(&t->tree, node)
             ? usual
             : tree_most(&t->tree, t->blocks, node);
}

/* The tables that are the same in trees which differ in the bits of packed nodes
** alone go from one to the other. */
static void exchange_tables(block_tree *a, block_tree *b)
{
  quads *blocks = a->blocks;
  part *strings = a->strings;
  a->blocks = b->blocks;
  b->blocks = blocks;
  a->strings = b->strings;
  b->strings = strings;
  for (uint32_t i = 0; i < a->tree.inner; i++) {
    quads table = a->tree.tables[i];
    if (tree_is_packed(&a->tree, i))
      continue;
    a->tree.tables[i] = b->tree.tables[i];
    b->tree.tables[i] = table;
  }
}

/* Moves all states to a tree that is empty.  With 'keeps_tables' it gets those of
** the old one, and has room for all roots at once. */
static bool move_to(collapse_tree *s, block_tree *grown, bool keeps_tables)
{
  const tree *old = &s->now.tree;
  if (!mover_create(&s->mover, grown, &s->now, s->longest))
    return false;
  if (!keeps_tables)
    return move_all(&s->mover);
  s->mover.keeps_tables = true;
  exchange_tables(grown, &s->now);
  if (roots_expect(&grown->tree.roots, old->roots.count,
                   most_of(grown, old->left, old->roots.lefts),
                   most_of(grown, old->right, old->roots.rights)) &&
      move_all(&s->mover))
    return true;
  exchange_tables(grown, &s->now);
  return false;
}

/* Rebuilds the tree by a plan.  The old one is kept for 'translate', without
** its roots, and without its tables if the new one has them.  Nothing is given
** up before all is there.  False: no memory, or some state has more blocks than
** the tree would have leaves; '*blocks' gets the most that one has. */
static bool make_tree(collapse_tree *s, const block_tree_plan *plan,
                      const store_offer *o, bool keeps_tables, uint32_t *blocks)
{
  block_tree grown;
  buffers b = {NULL, NULL};
  if (s->old.tree.leaves || !block_tree_create(&grown, &s->map, plan, o->state,
                                               o->length, s->max_bytes))
    return false;
  if (s->is_frozen)
    grown.tree.roots.max_bytes = s->now.tree.roots.max_bytes;
  bool done =
      (!s->now.tree.roots.marks || roots_have_marks(&grown.tree.roots)) &&
      make_buffers(&b, &grown.tree) && move_to(s, &grown, keeps_tables);
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
  s->trees++;
  s->mover.to = &s->now;
  s->mover.from = &s->old;
  collapse_tree_set_hands(s);
  roots_destroy(&s->old.tree.roots);
  return true;
}

bool collapse_tree_repack(collapse_tree *s, const store_offer *o)
{
  const tree *t = &s->now.tree;
  block_tree_plan plan = {.blocks = s->now.plan};
  uint32_t blocks;
  tree_plan *p = &plan.tree;
  p->leaves = t->leaves;
  p->inner = t->inner;
  p->left = t->left;
  p->right = t->right;
  memcpy(p->nodes, t->nodes, t->inner * sizeof *p->nodes);
  return tree_plan_bits(t, s->now.blocks, p->bits) &&
         make_tree(s, &plan, o, true, &blocks);
}

bool collapse_tree_reshape(collapse_tree *s, block_tree_plan *plan,
                           const store_offer *offers, uint32_t count)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t blocks =
        blocks_count(&s->map, &plan->blocks, offers[i].state, offers[i].length);
    most = blocks > most ? blocks : most;
  }
  plan->blocks.shuffles = s->ways->shuffles;
  block_tree_plan_widen(plan, most);
  if (make_tree(s, plan, offers, false, &most))
    return true;
  if (most <= plan->tree.leaves)
    return false;
  block_tree_plan_widen(plan, most);
  return make_tree(s, plan, offers, false, &most);
}

/* No memory is needed for states of the set: all blocks and nodes are there. */
store_handle collapse_tree_translate(collapse_tree *s, store_handle handle)
{
  return move_state(&s->mover, handle);
}

void collapse_tree_forget(collapse_tree *s)
{
  block_tree_destroy(&s->old);
  mover_destroy(&s->mover);
}

/* ---- encoding --------------------------------------------------------- */

/* A tuple under construction: its values and the inner nodes that must be
** recomputed. */
typedef struct draft {
  uint32_t *values;
  uint64_t *dirty;
  encode_questions *questions;
} draft;

/* The inner nodes above leaf 'i' must be recomputed. */
static void touch(const tree *t, const draft *d, uint32_t i)
{
  const uint64_t *nodes = &t->above[i * t->words];
  for (uint32_t w = 0; w < t->words; w++)
    d->dirty[w] |= nodes[w];
}

/* Encodes block 'i', unless it is the one that is known. */
static bool encode_block(collapse_tree *s, const block_cut *cut,
                         const quad *known, const uint8_t *state, uint32_t i,
                         const draft *d)
{
  quad key;
  if (!block_tree_key(&s->now, cut, i, state, &key))
    return false;
  if (known && quad_equal(key, *known))
    return true;
  touch(&s->now.tree, d, i);
  return encode_ask(d->questions, &s->now.blocks[i], key, &d->values[i]);
}

/* Encodes the blocks with changed components of a state that is cut like the
** one at hand. */
static bool encode_changed(collapse_tree *s, const collapse_tree_hand *h,
                           const store_offer *o, const draft *d)
{
  const block_cut *cut = h->cut;
  uint64_t blocks = 0;
  for (uint64_t left = o->changed; left; left &= left - 1)
    blocks |= cut->mask[__builtin_ctzll(left)];
  for (; blocks; blocks &= blocks - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(blocks);
    if (!encode_block(s, cut, &h->keys[i], o->state, i, d))
      return false;
  }
  for (uint32_t i = 64; o->changed >> 63 && i < cut->count; i++)
    if (!encode_block(s, cut, &h->keys[i], o->state, i, d))
      return false;
  return true;
}

/* Encodes all blocks; those that stand in the hand, too, are known. */
static bool encode_all(collapse_tree *s, const collapse_tree_hand *h,
                       const store_offer *o, const draft *d)
{
  block_any_cut any;
  block_cut *cut = blocks_open(&any);
  const tree *t = &s->now.tree;
  blocks_cut(&s->map, &s->now.plan, o->state, o->length, cut);
  uint32_t known = h->is_used ? h->cut->count : 0;
  for (uint32_t i = 0; i < cut->count; i++)
    if (!encode_block(s, cut, i < known ? &h->keys[i] : NULL, o->state, i, d))
      return false;
  for (uint32_t i = cut->count; i < known; i++) {
    d->values[i] = 0;
    touch(t, d, i);
  }
  return true;
}

/* Makes the tree large enough for all that is offered. */
static bool make_leaves(collapse_tree *s, const store_offer *o, uint32_t count)
{
  const store_offer *longest = NULL;
  uint32_t most = s->now.tree.leaves;
  for (uint32_t i = 0; i < count && !s->map.fixed; i++) {
    if (encode_is_alike(&s->hands[o[i].hand], &o[i]))
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
  if (s->owner) { /* all must stand still for that */
    s->waiting = o;
    s->waiting_count = count;
    return false;
  }
  block_tree_plan plan;
  block_tree_plan_for(&plan, &s->map, longest->state, longest->length);
  return collapse_tree_reshape(s, &plan, o, count);
}

/* The cuts of the hands get entries for states of so many bytes.  Nothing is at
** hand then. */
static bool room_for_entries(collapse_tree *s, uint32_t length)
{
  uint32_t each = blocks_most(&s->map, length);
  if (each <= s->entries_each)
    return true;
  block_entry *entries =
      mem_try_alloc_apart((size_t)STORE_HANDS * each * sizeof *entries);
  if (!entries)
    return false;
  mem_free(s->entries, entry_bytes(s));
  s->entries = entries;
  s->entries_each = each;
  collapse_tree_set_hands(s);
  return true;
}

bool collapse_tree_room_for(collapse_tree *s, uint32_t bytes)
{
  if (bytes > s->longest)
    s->longest = bytes;
  if (bytes + COLLAPSE_SLACK <= s->room_each)
    return true;
  uint32_t each = bytes + bytes / 4 + 2 * COLLAPSE_SLACK;
  if (!s->map.fixed && !room_for_entries(s, each))
    return false;
  uint8_t *room = mem_try_alloc_apart((size_t)STORE_HANDS * each);
  if (!room)
    return false;
  mem_free(s->room, (size_t)STORE_HANDS * s->room_each);
  s->room = room;
  s->room_each = each;
  collapse_tree_set_hands(s);
  return true;
}

static bool make_room(collapse_tree *s, const store_offer *o, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (o[i].length > s->longest && !collapse_tree_room_for(s, o[i].length))
      return false;
  return true;
}

size_t collapse_tree_bytes(const store *base)
{
  const collapse_tree *s = (const collapse_tree *)base;
  return sizeof *s + (size_t)STORE_HANDS * s->room_each + cut_bytes(s) +
         entry_bytes(s) + value_count(&s->now.tree) * sizeof *s->values +
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
  s->over_limit = collapse_tree_bytes((const store *)s) > s->max_bytes;
  return s->over_limit;
}

bool collapse_tree_find_places(collapse_tree *s, const uint32_t *values,
                               collapse_tree_probe *probes, uint32_t count)
{
  const tree *t = &s->now.tree;
  roots *r = &s->now.tree.roots;
  uint32_t stride = tree_values(t), left_at = t->left, right_at = t->right;
  for (uint32_t i = 0; i < count; i++, values += stride) {
    uint32_t left = values[left_at], right = values[right_at];
    if (!roots_fits(r, left, right) && !roots_widen(r, left, right))
      return false;
    roots_place place = roots_locate(r, left, right);
    roots_prefetch(r, place);
    probes[i] =
        (collapse_tree_probe){(uint64_t)left << 32 | right, place, r->shape};
  }
  return true;
}

/* Begins a tuple with that of the state at hand.  Values are whole rows. */
static void begin(const collapse_tree_hand *h, const draft *d, uint32_t values,
                  uint32_t words)
{
  uint64_t dirty = h->is_used ? 0 : UINT64_MAX;
  for (uint32_t w = 0; w < words; w++)
    d->dirty[w] = dirty;
  if (h->is_used)
    memcpy(d->values, h->values, values * sizeof *d->values);
  else
    memset(d->values, 0, values * sizeof *d->values);
}

static bool encode_some(collapse_tree *s, const store_offer *offers,
                        uint32_t count, uint32_t *values, uint64_t *dirty)
{
  const tree *t = &s->now.tree;
  uint32_t n = tree_values(t);
  encode_questions later;
  later.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const collapse_tree_hand *h = &s->hands[offers[i].hand];
    draft d = {values + (size_t)i * n, dirty + i * t->words, &later};
    begin(h, &d, n, t->words);
    if (!(encode_is_alike(h, &offers[i]) ? encode_changed(s, h, &offers[i], &d)
                                         : encode_all(s, h, &offers[i], &d)))
      return false;
  }
  return quads_answer(later.list, later.count);
}

bool collapse_tree_make_way(collapse_tree *s, const store_offer *o,
                            uint32_t count)
{
  return make_room(s, o, count) && make_leaves(s, o, count);
}

/* Any states, in any tree. */
static bool prepare_some(collapse_tree *s, const store_offer *offers,
                         collapse_tree_probe *probes, uint32_t count)
{
  uint64_t dirty[TREE_TOGETHER * (TREE_LEAVES / 64 + 1)];
  if (!collapse_tree_make_way(s, offers, count))
    return false;
  uint32_t *values = encode_values(s);
  return encode_some(s, offers, count, values, dirty) &&
         tree_refresh_many(&s->now.tree, values, dirty, count) &&
         collapse_tree_find_places(s, values, probes, count);
}

bool collapse_tree_prepare(collapse_tree *s, const store_offer *offers,
                           collapse_tree_probe *probes, uint32_t count)
{
  if (is_over_limit(s, count))
    return false;
  if (s->now.tree.roots.count >= s->learn_at && !s->old.tree.leaves) {
    if (!collapse_tree_make_way(s, offers, count))
      return false;
    collapse_tree_learn(s, offers, count);
  }
  encode_result result = s->now.tree.words > 1
                             ? ENCODE_OTHERS
                             : s->ways->encode(s, offers, count, probes);
  return result == ENCODE_OTHERS ? prepare_some(s, offers, probes, count)
                                 : result == ENCODE_DONE;
}

/* ---- decoding --------------------------------------------------------- */

const uint8_t *collapse_tree_view(collapse_tree *s, store_handle handle,
                                  uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  collapse_tree_hand *h = &s->hands[hand];
  tree_decode(&s->now.tree, handle, h->values);
  h->length = h->bytes = *length =
      block_tree_decode(&s->now, h->values, h->keys,
                        s->map.fixed ? NULL : &s->cuts[hand], h->state);
  h->is_used = true;
  if (h->cut->is_loose)
    h->length = UINT32_MAX;
  return h->state;
}

/* ---- the class -------------------------------------------------------- */

/* Decodes into the room of a hand that is not used. */
static uint32_t fetch(const store *base, store_handle handle, uint8_t *out)
{
  const collapse_tree *s = (const collapse_tree *)base;
  const tree *t = &s->now.tree;
  uint32_t values[2 * TREE_LEAVES + 4];
  tree_decode(t, handle, values);
  uint8_t *room = s->room + (size_t)(STORE_HANDS - 1) * s->room_each;
  uint32_t length = block_tree_read(
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
  if (!collapse_tree_room_for(s, length))
    return STORE_FULL;
  /* The state gets room behind it: that of a hand. */
  collapse_tree_hand *h = &s->hands[0];
  h->is_used = false;
  h->length = UINT32_MAX;
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
    .bytes = collapse_tree_bytes,
    .sharing = &collapse_tree_sharing,
    .spilling = &collapse_tree_spilling,
    .max_length = max_length,
    .check = check,
    .destroy = destroy,
};
