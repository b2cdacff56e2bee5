/* The store 'collapse+tree' as searches use it, states at hand and all: the
** same answers as a list of states, while it learns and moves, whatever the
** processor can do. */

#include "unit.h"

#include "base/alloc.h"
#include "base/random.h"
#include "store/tree/collapse_tree_internal.h"

enum { MOST = 2500, ROOM = 96, BATCH = 12, HANDS = 3 };

static const uint32_t sizes[] = {2, 3, 5, 9, 15, 16, 18};
static const uint32_t offsets[] = {0, 8, 11, 11, 14, 32, 35, 38};

static const component_map maps[] = {
    {.slices = 3,
     .slice_bytes = 8,
     .globals_bytes = 20,
     .tag_bytes = 1,
     .tags = 7,
     .sizes = sizes},
    {.fixed = true, .slices = 1, .count = 7, .offsets = offsets},
};

/* All states seen, and the store that is compared with them. */
typedef struct walk {
  const component_map *map;
  collapse_tree *store;
  random_state random;
  uint32_t count, gathered;
  uint32_t packed, outgrown; /* batches stored in such trees */
  uint32_t lengths[MOST];
  uint8_t states[MOST][ROOM];
  store_handle handles[MOST];
} walk;

static uint32_t below(walk *w, uint32_t n)
{
  return (uint32_t)random_below(&w->random, n);
}

static uint32_t find(const walk *w, const uint8_t *state, uint32_t length)
{
  for (uint32_t i = 0; i < w->count; i++)
    if (w->lengths[i] == length && !memcmp(w->states[i], state, length))
      return i;
  return MOST;
}

/* A state with other entities, or none at first. */
static uint32_t other_entities(walk *w, uint8_t *state)
{
  uint32_t length = w->map->globals_bytes, n = below(w, 5);
  if (w->map->fixed)
    return offsets[7];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t tag = below(w, below(w, 4) ? 3 : 7);
    memset(state + length, 0, sizes[tag]);
    state[length] = (uint8_t)tag;
    length += sizes[tag];
  }
  return length;
}

/* Changes a few bytes, but no tag, and says in which components. */
static uint64_t change(walk *w, uint8_t *state, uint32_t length)
{
  uint32_t starts[COMPONENTS_LIMIT + 1];
  uint32_t n = components_split(w->map, state, length, starts);
  uint64_t changed = 0;
  for (uint32_t i = 1 + below(w, 2); i--;) {
    uint32_t c = below(w, n), bytes = starts[c + 1] - starts[c];
    uint32_t tag = w->map->fixed || c < w->map->slices ? 0 : 1;
    if (bytes > tag)
      state[starts[c] + tag + below(w, bytes - tag)] = (uint8_t)below(w, 3);
    changed |= UINT64_C(1) << c;
  }
  /* What is far from each other and belongs together. */
  uint32_t last = w->map->fixed ? n - 1 : w->map->slices - 1;
  for (uint32_t i = 0; i < 3; i++)
    state[starts[last] + i] = state[i] ^ 1;
  return changed | (changed & 1) << last;
}

static void translate(walk *w)
{
  if (!collapse_tree_moved(w->store))
    return;
  for (uint32_t i = 0; i < w->count; i++)
    w->handles[i] = collapse_tree_translate(w->store, w->handles[i]);
  collapse_tree_forget(w->store);
}

static void insert(walk *w, collapse_tree_probe probe, const store_offer *o)
{
  store_handle handle = STORE_NO_HANDLE;
  uint32_t known = find(w, o->state, o->length);
  assert_int_equal(collapse_tree_has(w->store, probe), known < MOST);
  store_result result = collapse_tree_insert(w->store, probe, o, &handle);
  assert_int_equal(result, known < MOST ? STORE_SEEN : STORE_NEW);
  if (known < MOST) {
    assert_int_equal(handle, w->handles[known]);
    return;
  }
  w->handles[w->count] = handle;
  w->lengths[w->count] = o->length;
  memcpy(w->states[w->count++], o->state, o->length);
}

/* The same for all of a batch. */
static void insert_many(walk *w, const collapse_tree_probe *probes,
                        const store_offer *offers)
{
  uint32_t done, fresh, wanted = 0, before = w->count;
  for (uint32_t i = 0; i < BATCH; i++) {
    if (find(w, offers[i].state, offers[i].length) < MOST)
      continue;
    wanted |= 1u << i;
    w->handles[w->count] = probes[i].handle;
    w->lengths[w->count] = offers[i].length;
    memcpy(w->states[w->count++], offers[i].state, offers[i].length);
  }
  fresh = collapse_tree_insert_many(w->store, probes, BATCH, &done);
  assert_int_equal(done, BATCH);
  assert_int_equal(fresh, wanted);
  for (uint32_t i = before; i < w->count; i++)
    assert_true(collapse_tree_has(
        w->store, collapse_tree_probe_of(w->store, w->handles[i])));
}

static uint32_t rows_of_packed(const tree *t)
{
  uint32_t rows = 0;
  for (uint32_t i = 0; i < t->inner; i++)
    rows += tree_is_packed(t, i) ? t->tables[i].count : 0;
  return rows;
}

/* Nodes without a table, and those of them that need one. */
static void note_packing(walk *w, const tree *t)
{
  w->packed += t->packed != 0;
  w->outgrown += rows_of_packed(t) != 0;
}

/* Takes some states to hand and offers successors of them together. */
static void step(walk *w)
{
  static uint8_t bytes[BATCH][ROOM + 2 * BLOCK_BYTES];
  store_offer offers[BATCH];
  collapse_tree_probe probes[BATCH];
  uint32_t hands[HANDS];
  for (uint32_t i = 0; i < HANDS; i++) {
    uint32_t length, which = hands[i] = below(w, w->count);
    const uint8_t *state =
        collapse_tree_view(w->store, w->handles[which], i, NULL, &length);
    assert_int_equal(length, w->lengths[which]);
    assert_memory_equal(state, w->states[which], length);
  }
  for (uint32_t i = 0; i < BATCH; i++) {
    uint32_t hand = i * HANDS / BATCH, which = hands[hand];
    uint32_t length = w->lengths[which];
    bool is_other = below(w, 40) == 0;
    memcpy(bytes[i], w->states[which], length);
    if (is_other)
      length = other_entities(w, bytes[i]);
    uint64_t changed = change(w, bytes[i], length);
    offers[i] = (store_offer){.state = bytes[i],
                              .length = length,
                              .hand = hand,
                              .changed = is_other ? UINT64_MAX : changed};
  }
  if (below(w, 20) == 0)
    w->store->learn_at = w->count;
  assert_true(collapse_tree_prepare(w->store, offers, probes, BATCH));
  translate(w);
  w->gathered += w->store->now.plan.blocks != 0;
  note_packing(w, &w->store->now.tree);
  if (below(w, 2))
    insert_many(w, probes, offers);
  else
    for (uint32_t i = 0; i < BATCH; i++)
      insert(w, probes[i], &offers[i]);
}

static void wander(const component_map *map, encode_way way, uint64_t seed,
                   uint32_t *packed, uint32_t *outgrown)
{
  walk *w = mem_alloc(sizeof *w);
  store_settings settings = {
      .map = map, .max_bytes = (size_t)1 << 32, .learn_at = 40};
  const store_class *class = &store_collapse_tree;
  *w = (walk){.map = map};
  store *s = class->create(class, &settings);
  w->store = collapse_tree_of(s);
  w->store->ways = encode_ways_up_to(way);
  random_seed(&w->random, seed);
  w->lengths[0] = other_entities(w, w->states[0]);
  change(w, w->states[0], w->lengths[0]);
  assert_int_equal(class->insert(s, w->states[0], w->lengths[0],
                                 STORE_NO_HANDLE, UINT64_MAX, w->handles),
                   STORE_NEW);
  w->count = 1;
  while (w->count + BATCH <= MOST)
    step(w);
  assert_int_equal(class->count(s), w->count);
  assert_true(class->check(s));
  for (uint32_t i = 0; i < w->count; i++) {
    uint8_t back[ROOM];
    assert_int_equal(class->fetch(s, w->handles[i], back), w->lengths[i]);
    assert_memory_equal(back, w->states[i], w->lengths[i]);
  }
  assert_true(w->gathered > 0);
  *packed += w->packed;
  *outgrown += w->outgrown;
  class->destroy(s);
  mem_free(w, sizeof *w);
}

static void walks(void **state)
{
  (void)state;
  uint32_t packed = 0, outgrown = 0;
  for (uint64_t seed = 1; seed < 6; seed++)
    for (unsigned i = 0; i < sizeof maps / sizeof *maps; i++)
      for (encode_way way = ENCODE_PLAIN; way <= ENCODE_WIDE; way++)
        wander(&maps[i], way, seed, &packed, &outgrown);
  assert_true(packed > outgrown && outgrown > 0);
}

/* Of parts that have nothing to do with each other some come to have more values
** than a packed node has bits for, long after it was made, and seldom.  It gets more
** bits, though tables are small beside the roots; the tables stay, and all states
** have new handles. */
enum {
  PARTS = 6,
  BYTES = 16,
  FEW = 10,
  MANY = 300,
  STATES = 400000,
  SOME = 999
};

typedef struct packing {
  collapse_tree *store;
  random_state random;
  uint8_t states[SOME][PARTS * BYTES]; /* some that are stored */
  store_handle handles[SOME];
  uint32_t stored, repacked;
} packing;

/* States that are known are translated when the tree is another one. */
static void put_any(packing *p, bool is_rare)
{
  collapse_tree *t = p->store;
  uint8_t bytes[PARTS * BYTES + COLLAPSE_SLACK] = {0};
  for (uint32_t i = 0; i < PARTS; i++) {
    uint32_t value =
        (uint32_t)random_below(&p->random, is_rare && i % 2 ? MANY : FEW);
    memcpy(bytes + (size_t)i * BYTES + 3, &value, sizeof value);
  }
  store_offer offer = {
      .state = bytes, .length = PARTS * BYTES, .changed = UINT64_MAX};
  collapse_tree_probe probe;
  store_handle handle = STORE_NO_HANDLE;
  assert_true(collapse_tree_prepare(t, &offer, &probe, 1));
  for (uint32_t i = 0; collapse_tree_moved(t) && i < SOME; i++)
    if (i < p->stored)
      p->handles[i] = collapse_tree_translate(t, p->handles[i]);
  p->repacked += collapse_tree_moved(t) && t->mover.keeps_tables;
  collapse_tree_forget(t);
  assert_true(collapse_tree_insert(t, probe, &offer, &handle) != STORE_FULL);
  uint32_t at =
      p->stored < SOME ? p->stored++ : (uint32_t)random_below(&p->random, SOME);
  memcpy(p->states[at], bytes, sizeof p->states[at]);
  p->handles[at] = handle;
}

static void packs_anew(void **state)
{
  (void)state;
  static const uint32_t starts[PARTS + 1] = {
      0, BYTES, 2 * BYTES, 3 * BYTES, 4 * BYTES, 5 * BYTES, 6 * BYTES};
  const component_map map = {
      .fixed = true, .slices = 1, .count = PARTS, .offsets = starts};
  store_settings settings = {
      .map = &map, .max_bytes = (size_t)1 << 32, .learn_at = 10000};
  const store_class *class = &store_collapse_tree;
  store *s = class->create(class, &settings);
  packing *p = mem_alloc(sizeof *p);
  const tree *t = &collapse_tree_of(s)->now.tree;
  uint32_t most = 0;
  bool is_late = false;
  *p = (packing){.store = collapse_tree_of(s)};
  random_seed(&p->random, 3);
  assert_true(collapse_tree_room_for(p->store, PARTS * BYTES));
  while (class->count(s) < STATES) {
    is_late = is_late || (t->packed && class->count(s) > 12000);
    put_any(p, is_late && random_below(&p->random, 100) == 0);
    uint32_t rows = rows_of_packed(t);
    most = rows > most ? rows : most;
  }
  assert_true(t->packed && most > 0 && p->repacked > 0);
  assert_int_equal(rows_of_packed(t), 0);
  assert_true(class->check(s));
  for (uint32_t i = 0; i < SOME; i++) {
    uint8_t back[PARTS * BYTES];
    assert_int_equal(class->fetch(s, p->handles[i], back), sizeof back);
    assert_memory_equal(back, p->states[i], sizeof back);
  }
  uint64_t stored = class->count(s);
  for (uint32_t i = 0; i < SOME; i++)
    assert_int_equal(class->insert(s, p->states[i], PARTS * BYTES,
                                   STORE_NO_HANDLE, UINT64_MAX, p->handles),
                     STORE_SEEN);
  assert_int_equal(class->count(s), stored);
  class->destroy(s);
  mem_free(p, sizeof *p);
}

/* Trees that were made after so many states in which the last parts are those
** before them, or free. */
static uint32_t trees_after(uint32_t states, uint64_t learn_at, bool is_bound)
{
  static const uint32_t starts[PARTS + 1] = {
      0, BYTES, 2 * BYTES, 3 * BYTES, 4 * BYTES, 5 * BYTES, 6 * BYTES};
  const component_map map = {
      .fixed = true, .slices = 1, .count = PARTS, .offsets = starts};
  store_settings settings = {
      .map = &map, .max_bytes = (size_t)1 << 32, .learn_at = learn_at};
  const store_class *class = &store_collapse_tree;
  store *s = class->create(class, &settings);
  for (uint32_t n = 0; n < states; n++) {
    uint8_t bytes[PARTS * BYTES] = {0};
    store_handle handle;
    for (uint32_t i = 0, left = n; i < PARTS; i++, left /= is_bound ? 16 : 4) {
      uint32_t half = PARTS / 2, value = left % (is_bound ? 16 : 4);
      if (is_bound && i >= half)
        value = bytes[(size_t)(i - half) * BYTES];
      bytes[(size_t)i * BYTES] = (uint8_t)value;
    }
    assert_int_equal(class->insert(s, bytes, sizeof bytes, STORE_NO_HANDLE,
                                   UINT64_MAX, &handle),
                     STORE_NEW);
  }
  uint32_t trees = collapse_tree_of(s)->trees;
  assert_int_equal(class->count(s), states);
  assert_true(class->check(s));
  class->destroy(s);
  return trees;
}

/* A tree of whose tables one has a row for each state is replaced long before
** others are looked at; a good one is not. */
static void learns_early(void **state)
{
  (void)state;
  assert_int_equal(trees_after(3900, 4000 * LEARN_EARLY, true), 0);
  assert_int_equal(trees_after(4090, 4000 * LEARN_EARLY, true), 1);
  assert_int_equal(trees_after(4090, 4000 * LEARN_EARLY, false), 0);
}

UNIT_MAIN(UNIT(walks), UNIT(packs_anew), UNIT(learns_early))
