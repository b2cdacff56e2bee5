/* Several threads on one store: every state is new to exactly one of them, equal
** contents have one number, and nothing is lost while tables grow, keys widen
** and the tree is made anew.
**
** Threads work until one of them, or all, are refused; then they are joined, the
** store settles, and they begin again where they were. */

#include "unit.h"

#include "base/random.h"
#include "store/tree/collapse_tree.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 20000, THREADS = 6, TODO = 9000, BATCH = 8, ROOM = 128 };

typedef struct crew crew;

typedef struct member {
  crew *crew;
  pthread_t thread;
  uint32_t index, done;
  uint32_t todo[TODO]; /* things to insert, again and again the same */
  uint64_t names[MOST];
  store *view;
  roots lent;
  bool refused;
  /* States being offered; they stay until the store has settled. */
  uint8_t bytes[BATCH][ROOM + 2 * BLOCK_BYTES];
  store_offer offers[BATCH];
} member;

struct crew {
  uint32_t count;
  atomic_uint news[MOST]; /* how often a thing was new */
  atomic_bool stop;       /* somebody was refused */
  atomic_bool wrong;      /* a thing got a second name */
  member members[THREADS];
  store *shared;
  quads quads;
  roots roots;
  roots_share share;
};

/* ---- help ----------------------------------------------------------------- */

typedef struct helper {
  pthread_t thread;
  helpers_part *do_part;
  void *work;
  uint32_t part;
} helper;

static void *help(void *work)
{
  helper *h = work;
  h->do_part(h->work, h->part);
  return NULL;
}

/* A thread for each part. */
static void share_parts(void *context, helpers_part *do_part, void *work,
                        uint32_t parts)
{
  helper list[THREADS];
  (void)context;
  assert_true(parts <= THREADS);
  for (uint32_t i = 0; i < parts; i++) {
    list[i] = (helper){.do_part = do_part, .work = work, .part = i};
    pthread_create(&list[i].thread, NULL, help, &list[i]);
  }
  for (uint32_t i = 0; i < parts; i++)
    pthread_join(list[i].thread, NULL);
}

static const helpers all_help = {.count = THREADS - 1, .share = share_parts};

/* ---- a crew --------------------------------------------------------------- */

/* Things in an order that leads several members to the same ones at about the
** same time. */
static crew *crew_create(uint32_t count, uint32_t things, uint64_t seed)
{
  crew *c = mem_alloc(sizeof *c);
  random_state random;
  random_seed(&random, seed);
  c->count = count;
  for (uint32_t m = 0; m < count; m++) {
    member *own = &c->members[m];
    own->crew = c;
    own->index = m;
    for (uint32_t i = 0; i < TODO; i++)
      own->todo[i] = (uint32_t)((uint64_t)i * things / TODO +
                                random_below(&random, things / 50 + 1)) %
                     things;
    memset(own->names, 0xff, sizeof own->names);
  }
  return c;
}

static void name_thing(member *m, uint32_t thing, uint64_t name)
{
  if (m->names[thing] != UINT64_MAX && m->names[thing] != name)
    atomic_store(&m->crew->wrong, true);
  m->names[thing] = name;
}

/* All members work until they are through or must stop; whether they are
** through. */
static bool work_once(crew *c, void *(*work)(void *))
{
  bool through = true;
  atomic_store(&c->stop, false);
  for (uint32_t i = 0; i < c->count; i++)
    pthread_create(&c->members[i].thread, NULL, work, &c->members[i]);
  for (uint32_t i = 0; i < c->count; i++) {
    pthread_join(c->members[i].thread, NULL);
    through &= c->members[i].done == TODO;
  }
  return through;
}

/* Every thing that was inserted was new once, and has one name; returns how many
** there are. */
static uint64_t check_names(crew *c, uint32_t things)
{
  uint64_t all = 0;
  assert_false(c->wrong);
  for (uint32_t t = 0; t < things; t++) {
    uint64_t name = UINT64_MAX;
    for (uint32_t m = 0; m < c->count; m++) {
      uint64_t own = c->members[m].names[t];
      if (own == UINT64_MAX)
        continue;
      if (name != UINT64_MAX)
        assert_int_equal(own, name);
      name = own;
    }
    assert_int_equal(c->news[t], name != UINT64_MAX);
    all += name != UINT64_MAX;
  }
  return all;
}

/* ---- tuples ------------------------------------------------------------- */

static quad tuple_of(uint32_t thing)
{
  return quad_of(thing % 7, thing / 7 % 11, thing / 77, thing % 3 + 1);
}

static void *number_tuples(void *work)
{
  member *m = work;
  quads *q = &m->crew->quads;
  for (; m->done < TODO && !atomic_load(&m->crew->stop); m->done++) {
    uint32_t thing = m->todo[m->done];
    quad tuple = tuple_of(thing);
    uint32_t number = quads_number(q, tuple, quad_hash(tuple));
    if (number == QUADS_FULL) {
      atomic_store(&m->crew->stop, true);
      break;
    }
    name_thing(m, thing, number);
  }
  return NULL;
}

static void tuples(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint32_t things = seed % 2 ? 300 : 15000;
    crew *c = crew_create(2 + (uint32_t)seed % 5, things, seed);
    assert_true(quads_create(&c->quads));
    do {
      c->quads.index.is_shared = false;
      assert_true(quads_make_room(&c->quads));
      c->quads.index.is_shared = true;
    } while (!work_once(c, number_tuples));
    c->quads.index.is_shared = false;
    assert_true(quads_check(&c->quads));
    for (uint32_t t = 0; t < things; t++)
      for (uint32_t m = 0; m < c->count; m++)
        if (c->members[m].names[t] != UINT64_MAX) {
          c->news[t] = 1;
          assert_true(
              quad_equal(quads_get(&c->quads, (uint32_t)c->members[m].names[t]),
                         tuple_of(t)));
        }
    uint64_t all = check_names(c, things);
    assert_true(c->quads.count >= all && c->quads.count <= all + all / 8 + 64);
    quads_destroy(&c->quads);
    mem_free(c, sizeof *c);
  }
}

/* ---- pairs -------------------------------------------------------------- */

/* Numbers become larger with time, so that keys are widened; some are crowded
** into few buckets. */
static uint64_t pair_of(uint32_t thing)
{
  uint64_t left = thing % 50, right = thing / 50 * (1 + thing / 1000);
  return left << 32 | right;
}

static void *insert_pairs(void *work)
{
  member *m = work;
  roots *r = &m->lent;
  for (; m->done < TODO && !atomic_load(&m->crew->stop); m->done++) {
    uint32_t thing = m->todo[m->done];
    uint64_t pair = pair_of(thing);
    uint32_t left = (uint32_t)(pair >> 32), right = (uint32_t)pair;
    roots_result result = ROOTS_FULL;
    if (roots_fits(r, left, right) || roots_widen(r, left, right))
      result = roots_insert(r, roots_locate(r, left, right), left, right);
    if (result == ROOTS_FULL) {
      atomic_store(&m->crew->stop, true);
      break;
    }
    if (result == ROOTS_NEW)
      atomic_fetch_add(&m->crew->news[thing], 1);
    name_thing(m, thing, pair);
  }
  return NULL;
}

static void count_pair(void *context, uint32_t left, uint32_t right)
{
  (void)left, (void)right;
  ++*(uint64_t *)context;
}

static void pairs(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint32_t things = seed % 2 ? 500 : MOST;
    crew *c = crew_create(2 + (uint32_t)seed % 5, things, seed);
    bool through;
    assert_true(roots_create(&c->roots, SIZE_MAX));
    c->share.threads = c->count;
    c->share.helpers = &all_help;
    do {
      assert_true(roots_make_room(&c->roots, &c->share));
      for (uint32_t i = 0; i < c->count; i++)
        c->members[i].lent = roots_lend(&c->roots, &c->share);
      through = work_once(c, insert_pairs);
      for (uint32_t i = 0; i < c->count; i++)
        roots_take_back(&c->roots, &c->members[i].lent);
    } while (!through);
    assert_true(roots_check(&c->roots));
    uint64_t there = 0, all = check_names(c, things);
    roots_each(&c->roots, count_pair, &there);
    assert_int_equal(there, all);
    assert_int_equal(c->roots.count, all);
    roots_destroy(&c->roots);
    mem_free(c, sizeof *c);
  }
}

/* ---- states ------------------------------------------------------------- */

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

/* A thing as a state: later ones have more entities, some of them long. */
static uint32_t state_of(const component_map *map, uint32_t thing,
                         uint8_t *state)
{
  uint32_t length = map->fixed ? offsets[7] : map->globals_bytes;
  memset(state, 0, length);
  state[0] = (uint8_t)(thing % 5);
  state[9] = (uint8_t)(thing / 5 % 7);
  state[12] = (uint8_t)(thing / 35);
  state[17] = (uint8_t)(thing / 35 / 256);
  for (uint32_t i = 0; !map->fixed && i < thing % (2 + thing / 2000); i++) {
    uint32_t tag = (thing + i) % 7;
    memset(state + length, (int)(thing % 3), sizes[tag]);
    state[length] = (uint8_t)tag;
    length += sizes[tag];
    if (sizes[tag] > BLOCK_BYTES) { /* a string of its own, many of them */
      state[length - 1] = (uint8_t)thing;
      state[length - 2] = (uint8_t)(thing / 256);
    }
  }
  return length;
}

/* Offers some states together; how many are in the store then. */
static uint32_t offer(member *m, uint32_t count)
{
  collapse_tree *v = collapse_tree_of(m->view);
  collapse_tree_probe probes[BATCH];
  for (uint32_t i = 0; i < count; i++)
    m->offers[i] = (store_offer){
        .state = m->bytes[i],
        .length = state_of(&v->map, m->todo[m->done + i], m->bytes[i]),
        .changed = UINT64_MAX};
  if (!collapse_tree_prepare(v, m->offers, probes, count)) {
    m->refused = true;
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t handle;
    uint32_t thing = m->todo[m->done + i];
    store_result result =
        collapse_tree_insert(v, probes[i], &m->offers[i], &handle);
    if (result == STORE_FULL) {
      m->refused = true;
      return i;
    }
    if (result == STORE_NEW)
      atomic_fetch_add(&m->crew->news[thing], 1);
    name_thing(m, thing, handle);
  }
  return count;
}

static void *insert_states(void *work)
{
  member *m = work;
  m->refused = false;
  while (m->done < TODO && !atomic_load(&m->crew->stop)) {
    uint32_t left = TODO - m->done;
    m->done += offer(m, left < BATCH ? left : BATCH);
    if (m->refused)
      atomic_store(&m->crew->stop, true);
  }
  return NULL;
}

/* Whoever was refused can be helped. */
static void settle(crew *c)
{
  const store_sharing *sharing = store_collapse_tree.sharing;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->members[i].refused)
      assert_true(sharing->wants_room(c->members[i].view));
  assert_true(sharing->settle(c->shared, &all_help));
}

static void translate(crew *c)
{
  collapse_tree *s = collapse_tree_of(c->shared);
  if (!collapse_tree_moved(s))
    return;
  for (uint32_t m = 0; m < c->count; m++)
    for (uint32_t t = 0; t < MOST; t++)
      if (c->members[m].names[t] != UINT64_MAX)
        c->members[m].names[t] =
            collapse_tree_translate(s, c->members[m].names[t]);
  collapse_tree_forget(s);
}

static void check_states(crew *c, uint32_t things)
{
  uint8_t state[ROOM + 2 * BLOCK_BYTES], there[ROOM + 2 * BLOCK_BYTES];
  uint64_t all = check_names(c, things);
  assert_int_equal(store_collapse_tree.count(c->shared), all);
  assert_true(store_collapse_tree.check(c->shared));
  for (uint32_t t = 0; t < things; t++)
    for (uint32_t m = 0; m < c->count; m++) {
      if (c->members[m].names[t] == UINT64_MAX)
        continue;
      uint32_t length = state_of(&collapse_tree_of(c->shared)->map, t, state);
      assert_int_equal(
          store_collapse_tree.fetch(c->shared, c->members[m].names[t], there),
          length);
      assert_memory_equal(state, there, length);
    }
}

/* What the thread of a view writes for each state has lines of its own. */
static void check_apart(const member *m)
{
  const collapse_tree *v = collapse_tree_of(m->view);
  const void *own[] = {v, v->values, v->keys, v->room, v->cuts, v->entries};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    assert_int_equal((uintptr_t)own[i] % MEM_APART, 0);
}

static void states(void **unused)
{
  (void)unused;
  const store_sharing *sharing = store_collapse_tree.sharing;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    uint32_t things = seed % 4 ? 12000 : 700;
    crew *c = crew_create(2 + (uint32_t)seed % 5, things, seed);
    store_settings settings = {.map = &maps[seed % 2],
                               .max_bytes = SIZE_MAX,
                               .learn_at = seed % 3 ? 100 : 0};
    c->shared = store_collapse_tree.create(&store_collapse_tree, &settings);
    assert_non_null(c->shared);
    for (uint32_t i = 0; i < c->count; i++) {
      c->members[i].view = sharing->view(c->shared);
      assert_non_null(c->members[i].view);
    }
    assert_true(sharing->open(c->shared));
    while (!work_once(c, insert_states)) {
      settle(c);
      translate(c);
    }
    assert_true(sharing->close(c->shared));
    for (uint32_t i = 0; i < c->count; i++) {
      check_apart(&c->members[i]);
      sharing->view_destroy(c->members[i].view);
    }
    check_states(c, things);
    store_collapse_tree.destroy(c->shared);
    mem_free(c, sizeof *c);
  }
}

#ifndef SHARED_PAUSES
UNIT_MAIN(UNIT(tuples), UNIT(pairs), UNIT(states))
#endif
