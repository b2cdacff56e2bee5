/* The compact set of pairs against a naive one. */

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "store/roots/root_set.h"
#include "store/tree/collapse_tree.h"
#include "unit.h"

typedef VEC(uint64_t) list;

/* A naive set: open addressing over whole pairs, never full. */
typedef struct naive {
  uint64_t *slots;
  size_t size;
} naive;

static bool naive_insert(naive *n, uint64_t pair)
{
  size_t at = (pair * UINT64_C(0x9e3779b97f4a7c15) >> 20) % n->size;
  for (; n->slots[at]; at = (at + 1) % n->size)
    if (n->slots[at] == pair + 1)
      return false;
  n->slots[at] = pair + 1;
  return true;
}

static roots_result add(roots *r, uint64_t pair)
{
  uint32_t left = (uint32_t)(pair >> 32), right = (uint32_t)pair;
  if (!roots_fits(r, left, right) && !roots_widen(r, left, right))
    return ROOTS_FULL;
  return roots_insert(r, roots_locate(r, left, right), left, right);
}

/* Pairs with numbers that grow as those of a search do. */
static uint64_t next_pair(random_state *s, uint64_t i, uint64_t left,
                          uint64_t right)
{
  uint64_t l = random_below(s, left < i + 1 ? left : i + 1);
  uint64_t r = random_below(s, right < i + 1 ? right : i + 1);
  return l << 32 | r;
}

static void compare(uint64_t n, uint64_t left, uint64_t right)
{
  roots r;
  random_state s;
  naive twin = {.size = 2 * n + 1};
  twin.slots = mem_alloc(twin.size * sizeof *twin.slots);
  random_seed(&s, n + left);
  assert_true(roots_create(&r, SIZE_MAX / 2));
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t pair = next_pair(&s, i, left, right);
    bool fresh = naive_insert(&twin, pair);
    count += fresh;
    assert_int_equal(add(&r, pair), fresh ? ROOTS_NEW : ROOTS_SEEN);
    if (i % (n / 4 + 1) == 0)
      assert_true(roots_check(&r));
  }
  assert_true(roots_check(&r));
  assert_int_equal(r.count, count);
  roots_destroy(&r);
  mem_free(twin.slots, twin.size * sizeof *twin.slots);
}

static void random_pairs(void **unused)
{
  (void)unused;
  compare(100, 3, 3);
  compare(20000, 1, 1u << 20);
  compare(20000, 1u << 20, 1);
  compare(200000, 1000, 1000);
  compare(200000, UINT32_MAX / 2, UINT32_MAX / 2);
}

/* A pair that will be inserted: as one of a state that was prepared. */
static collapse_tree_probe prepare(roots *r, uint64_t pair)
{
  uint32_t left = (uint32_t)(pair >> 32), right = (uint32_t)pair;
  assert_true(roots_fits(r, left, right) || roots_widen(r, left, right));
  return (collapse_tree_probe){pair, roots_locate(r, left, right), r->shape};
}

static void is_in_naive(void *context, uint32_t left, uint32_t right)
{
  assert_false(naive_insert(context, (uint64_t)left << 32 | right));
}

enum { TOGETHER = 32, ONE_BY_ONE = 3 };

/* Which of them were new, by one of the ways to insert them. */
static uint32_t insert_prepared(collapse_tree *t, uint32_t way,
                                const collapse_tree_probe *probes)
{
  uint32_t done, fresh = 0;
  if (way < ONE_BY_ONE) {
    const encode_ways *ways = encode_ways_up_to((encode_way)way);
    fresh = ways->insert(&t->now.tree.roots, probes, TOGETHER, &done);
    assert_int_equal(done, TOGETHER);
    return fresh;
  }
  for (uint32_t k = 0; k < TOGETHER; k++) {
    store_handle handle;
    bool is_new = !collapse_tree_has(t, probes[k]);
    assert_int_equal(collapse_tree_insert(t, probes[k], NULL, &handle),
                     is_new ? STORE_NEW : STORE_SEEN);
    assert_int_equal(handle, probes[k].handle);
    fresh |= (uint32_t)is_new << k;
  }
  return fresh;
}

/* Pairs by so many, whose places are all known before the first is inserted.  The
** table may get other keys meanwhile, with fewer bits than some of those that wait
** need: the numbers on the right are small, but for some. */
static void compare_prepared(uint32_t way, uint64_t n, uint64_t seed)
{
  static collapse_tree t; /* its roots, and nothing else of it */
  roots *r = &t.now.tree.roots;
  random_state s;
  naive twin = {.size = 2 * n + 1};
  twin.slots = mem_alloc(twin.size * sizeof *twin.slots);
  random_seed(&s, seed);
  assert_true(roots_create(r, SIZE_MAX / 2));
  uint64_t count = 0, step = 1 + random_below(&s, 4);
  for (uint64_t i = 0; i < n; i += TOGETHER) {
    collapse_tree_probe probes[TOGETHER];
    uint32_t wanted = 0;
    for (uint32_t k = 0; k < TOGETHER; k++) {
      uint64_t left = random_below(&s, i / step + 1);
      uint64_t right = random_below(&s, i / 64 + 1);
      right = random_below(&s, 1 + (random_below(&s, 64) ? right / 4 : right));
      probes[k] = prepare(r, left << 32 | right);
    }
    for (uint32_t k = 0; k < TOGETHER; k++)
      wanted |= (uint32_t)naive_insert(&twin, probes[k].handle) << k;
    assert_int_equal(insert_prepared(&t, way, probes), wanted);
    count += (uint64_t)__builtin_popcount(wanted);
  }
  assert_true(roots_check(r));
  assert_int_equal(r->count, count);
  roots_each(r, is_in_naive, &twin);
  roots_destroy(r);
  mem_free(twin.slots, twin.size * sizeof *twin.slots);
}

static void prepared_pairs(void **unused)
{
  (void)unused;
  for (uint64_t seed = 0; seed < 100; seed++)
    for (uint32_t way = 0; way <= ONE_BY_ONE; way++)
      compare_prepared(way, 20000, seed);
}

/* What is told while a set is emptied. */
typedef struct drained {
  const roots *set;
  uint64_t count, sum, marked;
} drained;

static void take_out(void *context, uint32_t left, uint32_t right)
{
  drained *d = context;
  uint64_t pair = (uint64_t)left << 32 | right;
  d->count++;
  d->sum += hash_mix(pair);
  if (roots_is_marked(d->set, left, right))
    d->marked += hash_mix(pair);
}

/* Each pair is visited once, with its mark. */
static void compare_drained(roots *r, const list *pairs, const list *marks)
{
  drained d = {.set = r};
  uint64_t sum = 0, marked = 0;
  for (size_t i = 0; i < pairs->len; i++) {
    sum += hash_mix(pairs->data[i]);
    marked += marks->data[i] ? hash_mix(pairs->data[i]) : 0;
  }
  roots_drain(r, take_out, &d);
  assert_int_equal(d.count, pairs->len);
  assert_int_equal(d.sum, sum);
  assert_int_equal(d.marked, marked);
}

/* Marks change at random while the set grows and its keys become wider; the twin
** is a list of them. */
static void compare_marks(uint64_t n, uint64_t left, uint64_t right,
                          uint64_t *spilled)
{
  roots r;
  random_state s;
  naive twin = {.size = 2 * n + 1};
  list pairs = {0}, marks = {0};
  twin.slots = mem_alloc(twin.size * sizeof *twin.slots);
  random_seed(&s, n + left);
  assert_true(roots_create(&r, SIZE_MAX / 2));
  assert_true(roots_have_marks(&r));
  for (uint64_t i = 0; i < n; i++) {
    uint64_t pair = next_pair(&s, i, left, right);
    if (naive_insert(&twin, pair)) {
      vec_push(&pairs, pair);
      vec_push(&marks, 1);
    }
    assert_int_not_equal(add(&r, pair), ROOTS_FULL);
    size_t some = random_below(&s, pairs.len);
    marks.data[some] = random_below(&s, 3) != 0;
    roots_mark(&r, (uint32_t)(pairs.data[some] >> 32),
               (uint32_t)pairs.data[some], marks.data[some]);
    *spilled += r.spill_count;
    for (size_t k = i + 1 == n ? 0 : pairs.len; k < pairs.len; k++)
      assert_int_equal(roots_is_marked(&r, (uint32_t)(pairs.data[k] >> 32),
                                       (uint32_t)pairs.data[k]),
                       marks.data[k]);
  }
  assert_true(roots_check(&r));
  compare_drained(&r, &pairs, &marks);
  roots_destroy(&r);
  vec_free(&pairs);
  vec_free(&marks);
  mem_free(twin.slots, twin.size * sizeof *twin.slots);
}

static void random_marks(void **unused)
{
  (void)unused;
  uint64_t spilled = 0;
  for (uint64_t n = 50; n < 400000; n = n * 3 + 1) {
    compare_marks(n, 1000, 1000, &spilled);
    compare_marks(n, UINT32_MAX / 2, UINT32_MAX / 2, &spilled);
  }
  assert_int_not_equal(spilled, 0);
}

typedef struct visitor {
  uint64_t count, sum;
} visitor;

static void note(void *context, uint32_t left, uint32_t right)
{
  visitor *v = context;
  v->count++;
  v->sum += (uint64_t)left * 31 + right;
}

/* Everything that went in is visited once. */
static void each(void **unused)
{
  (void)unused;
  roots r;
  visitor v = {0};
  uint64_t sum = 0;
  assert_true(roots_create(&r, SIZE_MAX / 2));
  for (uint32_t i = 0; i < 50000; i++) {
    assert_int_equal(add(&r, (uint64_t)(i / 7) << 32 | (i % 7)), ROOTS_NEW);
    sum += (uint64_t)(i / 7) * 31 + i % 7;
  }
  roots_each(&r, note, &v);
  assert_int_equal(v.count, 50000);
  assert_int_equal(v.sum, sum);
  roots_destroy(&r);
}

/* At the limit the set says so and keeps what it has. */
static void memory_limit(void **unused)
{
  (void)unused;
  roots r;
  assert_true(roots_create(&r, 1 << 16));
  uint32_t i = 0;
  while (add(&r, i) == ROOTS_NEW)
    i++;
  assert_true(i > 1000);
  for (uint32_t k = 0; k < i; k++)
    assert_int_equal(add(&r, k), ROOTS_SEEN);
  assert_true(roots_check(&r));
  assert_true(roots_bytes(&r) <= 1 << 16);
  roots_destroy(&r);
}

/* A pair costs about its information: 5 million in less than 4 bytes each. */
static void is_compact(void **unused)
{
  (void)unused;
  roots r;
  random_state s;
  random_seed(&s, 5);
  assert_true(roots_create(&r, SIZE_MAX / 2));
  while (r.count < 800000)
    add(&r, random_below(&s, 40000) << 32 | random_below(&s, 70000));
  assert_true(roots_bytes(&r) < 5 * r.count);
  roots_destroy(&r);
}

/* Grants everything, and nothing in advance: 'granted' is the most that was
** ever used. */
static bool grant_exactly(mem_budget *b, long long wanted)
{
  b->granted = wanted;
  return true;
}

static bool is_never_over(mem_budget *b)
{
  (void)b;
  return false;
}

/* Growing with the same keys gives back what has been read: the old table and
** the new one are never counted together. */
static void grows_in_place(void **unused)
{
  (void)unused;
  roots r;
  random_state s;
  mem_budget budget = {.grant = grant_exactly, .is_over = is_never_over};
  random_seed(&s, 7);
  mem_budget *before = mem_use_budget(&budget);
  assert_true(roots_create(&r, SIZE_MAX / 2));
  add(&r, UINT64_C(40000) << 32 | 70000);
  while (r.count < 200000) /* small tables leave numbers more room */
    add(&r, random_below(&s, 40000) << 32 | random_below(&s, 70000));
  uint32_t width = r.bits;
  uint64_t first_shape = r.shape;
  while (r.count < 800000)
    add(&r, random_below(&s, 40000) << 32 | random_below(&s, 70000));
  assert_int_equal(r.bits, width);
  assert_true(r.shape > first_shape + 2);
  assert_true(roots_check(&r));
  assert_true((size_t)budget.granted <= roots_bytes(&r) + (64 << 10));
  assert_true((size_t)atomic_load(&budget.used) >= roots_bytes(&r));
  roots_destroy(&r);
  assert_int_equal(atomic_load(&budget.used), 0);
  mem_use_budget(before);
}

static uint64_t looks, last_look;

static bool is_due_in_the_end(const mem_budget *b)
{
  (void)b;
  return ++looks >= last_look;
}

typedef struct growing {
  roots set;
  bool grown;
} growing;

static void grow(void *context)
{
  growing *g = context;
  g->grown = roots_grow(&g->set);
}

/* A table that grows looks at the clock once in a thousand buckets, and is left
** wherever time is up: before anything was given back it is as it was, later
** the work is left. */
static void growth_can_be_left(void **unused)
{
  (void)unused;
  mem_budget budget = {.grant = grant_exactly,
                       .is_over = is_never_over,
                       .is_due = is_due_in_the_end};
  mem_budget *before = mem_use_budget(&budget);
  for (last_look = 1; last_look < 4; last_look++) {
    growing g;
    random_state s;
    random_seed(&s, 7);
    assert_true(roots_create(&g.set, SIZE_MAX / 2));
    uint64_t end = last_look;
    last_look = UINT64_MAX;
    while (g.set.count < 200000)
      add(&g.set, random_below(&s, 40000) << 32 | random_below(&s, 70000));
    uint64_t buckets = g.set.bucket_count, count = g.set.count;
    last_look = end;
    looks = 0;
    bool returned = mem_protect(grow, &g);
    assert_int_equal(looks, end);
    if (returned) {
      assert_false(g.grown);
      assert_int_equal(g.set.bucket_count, buckets);
      assert_int_equal(g.set.count, count);
      assert_true(roots_check(&g.set));
    } else {
      assert_true(end > 1); /* the first look comes before any bucket */
    }
    looks = 0;
    last_look = UINT64_MAX;
    if (returned) {
      assert_true(mem_protect(grow, &g) && g.grown);
      assert_int_equal(g.set.count, count);
      assert_true(looks >= buckets / 1024);
    }
    roots_destroy(&g.set);
    last_look = end;
  }
  assert_int_equal(atomic_load(&budget.used), 0);
  mem_use_budget(before);
}

/* The slots that the last byte of a key makes shorter or longer are all grown
** through: keys of every width that tables have. */
static void widths(void **unused)
{
  (void)unused;
  for (uint32_t bits = 4; bits <= 32; bits += 4)
    compare(60000, UINT64_C(1) << bits, UINT64_C(1) << bits);
}

/* While it grows eightfold, numbers of one side are at rest, and those of the
** other grow as the power 2/3 of the pairs.  So these come to need two bits more,
** and the keys change at most twice as often. */
static void keys_change_seldom(void **unused)
{
  (void)unused;
  for (uint64_t factor = 1; factor < 8; factor++) {
    roots r;
    uint32_t bits = 0, changes = 0;
    uint64_t power = 0;
    assert_true(roots_create(&r, SIZE_MAX / 2));
    for (uint64_t i = 0; i < 1 << 20; i++) {
      uint64_t left = i * UINT64_C(0x9e3779b9) % 1000;
      while (power * power * power < i * i)
        power++;
      add(&r, left << 32 | power * factor);
      changes += i > 1 << 17 && bits != r.bits;
      bits = r.bits;
    }
    assert_in_range(changes, 0, 4);
    roots_destroy(&r);
  }
}

/* The most that is counted while a set is emptied, at each pair. */
typedef struct emptying {
  const mem_budget *budget;
  uint64_t count;
  long long first, before, rises;
} emptying;

static void look_at_budget(void *context, uint32_t left, uint32_t right)
{
  emptying *e = context;
  long long used = e->budget->used;
  (void)left;
  (void)right;
  e->rises += used > e->before;
  e->before = used;
  if (++e->count == 400000)
    e->first = used;
}

/* Half of the pairs are gone: so is half of the memory. */
static void gives_back(void **unused)
{
  (void)unused;
  roots r;
  random_state s;
  mem_budget budget = {.grant = grant_exactly, .is_over = is_never_over};
  random_seed(&s, 9);
  mem_budget *before = mem_use_budget(&budget);
  assert_true(roots_create(&r, SIZE_MAX / 2));
  while (r.count < 800000)
    add(&r, random_below(&s, 40000) << 32 | random_below(&s, 70000));
  long long all = budget.used;
  emptying e = {.budget = &budget, .before = all};
  roots_drain(&r, look_at_budget, &e);
  assert_int_equal(e.rises, 0);
  assert_true(e.first < all * 6 / 10);
  assert_true(budget.used < all / 20);
  assert_true(roots_clear(&r, 0));
  assert_true(roots_clear(&r, 1 << 20));
  assert_int_equal(add(&r, 5), ROOTS_NEW);
  roots_destroy(&r);
  assert_int_equal(budget.used, 0);
  mem_use_budget(before);
}

UNIT_MAIN(UNIT(random_pairs), UNIT(prepared_pairs), UNIT(random_marks),
          UNIT(each), UNIT(memory_limit), UNIT(is_compact),
          UNIT(grows_in_place), UNIT(gives_back), UNIT(growth_can_be_left),
          UNIT(widths), UNIT(keys_change_seldom))
