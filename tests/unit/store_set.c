/* The sets of the literature against a naive set: random tuples, growing
** values, several lengths, limits, and every allocation failing once. */

#include "unit.h"

#include "base/random.h"
#include "base/vec.h"
#include "store/diagram/compress.h"
#include "store/diagram/set_hybrid.h"
#include "store/diagram/set_mdd.h"
#include "store/diagram/set_obdd.h"
#include "store/diagram/set_sharing.h"

#include <stdlib.h>

#define NO_LIMIT ((size_t)1 << 32)

/* A set with what it is told. */
typedef struct candidate {
  const set_class *class;
  set_settings settings;
} candidate;

static const candidate candidates[] = {
    {&set_mdd, {.max_bytes = NO_LIMIT}},
    {&set_ondd, {.max_bytes = NO_LIMIT}},
    {&set_sharing, {.max_bytes = NO_LIMIT}},
    {&set_sharing, {.max_bytes = NO_LIMIT, .reduce_every = 100}},
    {&set_hybrid, {.max_bytes = NO_LIMIT, .buffer_bytes = 4000}},
    {&set_hybrid, {.max_bytes = NO_LIMIT}},
    {&set_obdd, {.max_bytes = NO_LIMIT}},
};

enum { CANDIDATES = sizeof candidates / sizeof *candidates };

/* ---- the naive set ------------------------------------------------------ */

enum { MOST = 12 /* elements of a tuple */ };

typedef struct tuple {
  uint32_t length, values[MOST];
} tuple;

typedef VEC(tuple) twin;

static bool twin_insert(twin *w, const tuple *t)
{
  for (size_t i = 0; i < w->len; i++)
    if (w->data[i].length == t->length &&
        !memcmp(w->data[i].values, t->values, t->length * sizeof *t->values))
      return false;
  vec_push(w, *t);
  return true;
}

/* How random tuples look. */
typedef struct flavour {
  uint32_t least, most; /* length */
  uint32_t values;      /* of an element */
  bool growing;         /* values get larger as time goes on */
  uint32_t rare_one_in; /* so often a value is huge; 0: never */
} flavour;

static const flavour flavours[] = {
    {3, 3, 8, false, 0}, /* dense: nearly all tuples come */
    {8, 8, 3, false, 0},  {0, 5, 4, false, 0}, /* lengths */
    {6, 6, 40, true, 0}, /* numbers of a table that fills */
    {1, 12, 6, true, 50}, {1, 1, 3000, false, 0}, /* one very wide level */
};

static tuple random_tuple(random_state *r, const flavour *f, unsigned step)
{
  tuple t = {.length =
                 f->least + (uint32_t)random_below(r, f->most - f->least + 1)};
  uint32_t values = f->growing ? 1 + f->values * step / 2000 : f->values;
  for (uint32_t i = 0; i < t.length; i++) {
    /* The later elements vary most, as the order of a codec should have it. */
    uint32_t some = i + 3 < t.length ? (values + 3) / 4 : values;
    t.values[i] = (uint32_t)random_below(r, some);
    if (f->rare_one_in && !random_below(r, f->rare_one_in))
      t.values[i] = UINT32_MAX - (uint32_t)random_below(r, 3);
  }
  return t;
}

static void offer(const candidate *c, set *s, twin *w, const tuple *t)
{
  bool fresh = twin_insert(w, t);
  store_result result = c->class->insert(s, t->values, t->length);
  assert_int_equal(result, fresh ? STORE_NEW : STORE_SEEN);
}

static void against_twin(const candidate *c, const flavour *f, uint64_t seed)
{
  random_state r;
  random_seed(&r, seed);
  twin w = {0};
  set *s = c->class->create(&c->settings);
  assert_non_null(s);
  for (unsigned i = 0; i < 2000; i++) {
    tuple t = random_tuple(&r, f, i);
    offer(c, s, &w, &t);
    if (i % 500 == 9)
      assert_true(c->class->check(s));
  }
  assert_int_equal(c->class->count(s), w.len);
  assert_true(c->class->check(s));
  for (size_t i = 0; i < w.len; i++)
    assert_int_equal(c->class->insert(s, w.data[i].values, w.data[i].length),
                     STORE_SEEN);
  assert_true(c->class->bytes(s) > 0);
  c->class->destroy(s);
  vec_free(&w);
}

static void random_tuples(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++)
    for (size_t k = 0; k < sizeof flavours / sizeof *flavours; k++)
      for (uint64_t seed = 1; seed <= 2; seed++)
        against_twin(&candidates[i], &flavours[k], 10 * k + seed);
}

/* Shows a batch of tuples, some of them twice, and adds them. */
static void offer_together(const candidate *c, set *s, twin *w,
                           const tuple *tuples, uint32_t count)
{
  set_offer offers[SET_TOGETHER];
  for (uint32_t i = 0; i < count; i++)
    offers[i] = (set_offer){tuples[i].values, tuples[i].length};
  assert_true(c->class->prepare(s, offers, count));
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(c->class->insert_prepared(s, i),
                     twin_insert(w, &tuples[i]) ? STORE_NEW : STORE_SEEN);
}

/* As 'random_tuples', many at a time.  The small buffer is united again and
** again in the middle of a batch. */
static void batches(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++)
    for (size_t k = 0; k < sizeof flavours / sizeof *flavours; k++) {
      const candidate *c = &candidates[i];
      if (!c->class->prepare)
        continue;
      random_state r;
      random_seed(&r, k);
      twin w = {0};
      set *s = c->class->create(&c->settings);
      for (unsigned step = 0; step < 2000;) {
        tuple tuples[SET_TOGETHER];
        uint32_t count = 1 + (uint32_t)random_below(&r, SET_TOGETHER);
        for (uint32_t n = 0; n < count; n++, step++)
          tuples[n] = n && !random_below(&r, 4)
                          ? tuples[random_below(&r, n)]
                          : random_tuple(&r, &flavours[k], step);
        offer_together(c, s, &w, tuples, count);
      }
      assert_int_equal(c->class->count(s), w.len);
      assert_true(c->class->check(s));
      c->class->destroy(s);
      vec_free(&w);
    }
}

/* A product of small ranges: every diagram becomes small again. */
static void regular(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++) {
    const candidate *c = &candidates[i];
    set *s = c->class->create(&c->settings);
    for (uint32_t n = 0; n < 10000; n++) {
      uint32_t mixed = n * 7919 % 10000; /* in no order */
      uint32_t t[4] = {mixed % 10, mixed / 10 % 10, mixed / 100 % 10,
                       mixed / 1000};
      assert_int_equal(c->class->insert(s, t, 4), STORE_NEW);
    }
    assert_int_equal(c->class->count(s), 10000);
    assert_true(c->class->check(s));
    /* What is in a buffer still is missing in the diagram. */
    assert_true(c->class == &set_hybrid || c->class->nodes(s) <= 64);
    c->class->destroy(s);
  }
}

/* A sharing tree is canonical: after a reduction the original insertion has
** the nodes that the canonical one has at any time. */
static void reductions(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof flavours / sizeof *flavours; k++) {
    random_state r;
    random_seed(&r, k);
    set *a = set_sharing.create(&(set_settings){.max_bytes = NO_LIMIT});
    set *b = set_sharing.create(&(set_settings){
        .max_bytes = NO_LIMIT, .reduce_every = 1 + 6 * (k % 2)});
    for (unsigned i = 0; i < 700; i++) {
      tuple t = random_tuple(&r, &flavours[k], 2 * i);
      assert_int_equal(set_sharing.insert(a, t.values, t.length),
                       set_sharing.insert(b, t.values, t.length));
      if (set_sharing.count(b) % (1 + 6 * (k % 2)) == 0)
        assert_int_equal(set_sharing.nodes(a), set_sharing.nodes(b));
    }
    assert_true(set_sharing.check(a) && set_sharing.check(b));
    set_sharing.destroy(a);
    set_sharing.destroy(b);
  }
}

/* ---- limits and failures ------------------------------------------------ */

/* Tuple number n, distinct for distinct numbers, of several lengths. */
static tuple numbered(uint32_t n)
{
  tuple t = {.length = 5 + n % 2};
  uint32_t mixed = n * UINT32_C(2654435761);
  for (uint32_t i = 0; i < 4; i++)
    t.values[i] = mixed >> 8 * i & 255;
  t.values[4] = n % 7;
  t.values[5] = n;
  return t;
}

/* Under any limit the set fills up, says so, and keeps what it has. */
static void limits(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++)
    for (size_t limit = 1000; limit < 600000; limit += limit / 2) {
      const candidate *c = &candidates[i];
      set_settings settings = c->settings;
      settings.max_bytes = limit;
      set *s = c->class->create(&settings);
      if (!s)
        continue;
      uint32_t n = 0;
      for (; n < 6000; n++) {
        tuple t = numbered(n);
        store_result result = c->class->insert(s, t.values, t.length);
        if (result == STORE_FULL)
          break;
        assert_int_equal(result, STORE_NEW);
      }
      /* Diagrams begin with some memory whatever the limit. */
      assert_true(c->class->bytes(s) <= limit + 150000);
      assert_int_equal(c->class->count(s), n);
      assert_true(c->class->check(s));
      for (uint32_t k = 0; k < n; k++) {
        tuple t = numbered(k);
        assert_int_equal(c->class->insert(s, t.values, t.length), STORE_SEEN);
      }
      c->class->destroy(s);
    }
}

/* With the n-th allocation failing the set answers 'full' and stays whole;
** when memory is back, it goes on. */
static bool survives_failure(const candidate *c, uint64_t n)
{
  mem_fail_at(n);
  set *s = c->class->create(&c->settings);
  if (!s) {
    mem_fail_at(0);
    return false;
  }
  bool failed = false;
  for (uint32_t i = 0; i < 1500; i++) {
    tuple t = numbered(i);
    store_result result = c->class->insert(s, t.values, t.length);
    if (result == STORE_FULL) {
      failed = true;
      mem_fail_at(0);
      assert_int_equal(c->class->count(s), i);
      assert_true(c->class->check(s));
      result = c->class->insert(s, t.values, t.length);
    }
    assert_int_equal(result, STORE_NEW);
  }
  mem_fail_at(0);
  assert_true(c->class->check(s));
  for (uint32_t i = 0; i < 1500; i++) {
    tuple t = numbered(i);
    assert_int_equal(c->class->insert(s, t.values, t.length), STORE_SEEN);
  }
  c->class->destroy(s);
  return !failed;
}

static void failing_allocations(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++) {
    uint64_t n = 1;
    /* Some failures are borne in silence; fifty in a row are no accident. */
    for (unsigned through = 0; through < 50; n++)
      through = survives_failure(&candidates[i], n) ? through + 1 : 0;
    assert_true(n > 51);
  }
}

/* ---- pictures ----------------------------------------------------------- */

typedef struct drawing {
  const candidate *c;
  set *s;
  text out;
} drawing;

static const candidate *drawn;

static void *start_drawing(void)
{
  drawing *d = mem_alloc(sizeof *d);
  d->c = drawn;
  d->s = drawn->class->create(&drawn->settings);
  assert_non_null(d->s);
  uint32_t tuples[][3] = {{0, 1, 5}, {0, 2, 5}, {3, 1, 5}, {3, 2, 6}};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(drawn->class->insert(d->s, tuples[i], 3), STORE_NEW);
  assert_int_equal(drawn->class->insert(d->s, tuples[0], 2), STORE_NEW);
  return d;
}

static void draw(void *context)
{
  drawing *d = context;
  d->c->class->draw(d->s, NULL, &d->out);
}

static void end_drawing(void *context)
{
  drawing *d = context;
  d->c->class->destroy(d->s);
  text_free(&d->out);
  mem_free(d, sizeof *d);
}

static void pictures(void **state)
{
  (void)state;
  for (size_t i = 0; i < CANDIDATES; i++) {
    drawn = &candidates[i];
    drawing *d = start_drawing();
    draw(d);
    assert_memory_equal(text_string(&d->out), "digraph", 7);
    assert_non_null(strstr(text_string(&d->out), "->"));
    assert_string_equal(text_string(&d->out) + d->out.len - 2, "}\n");
    end_drawing(d);
    unit_fail_each(start_drawing, draw, end_drawing);
  }
}

/* An empty buffer is united with no memory at all. */
static void nothing_to_unite(void **state)
{
  (void)state;
  diagrams d = {0};
  table t = {0};
  assert_true(diagrams_create(&d, MDD_VALUES, NO_LIMIT));
  assert_true(table_create(&t, NO_LIMIT));
  mem_fail_at(1);
  assert_true(compress_into(&d, &t));
  mem_fail_at(0);
  assert_true(diagrams_check(&d, 0));
  table_destroy(&t);
  diagrams_destroy(&d);
}

UNIT_MAIN(UNIT(random_tuples), UNIT(batches), UNIT(regular), UNIT(reductions),
          UNIT(limits), UNIT(failing_allocations), UNIT(pictures),
          UNIT(nothing_to_unite))
