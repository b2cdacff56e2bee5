/* Systems of events: closures, images and preimages against loops over all
** tuples; sums against enumeration. */

#include "base/random.h"
#include "dd/mdd/mdd_system.h"
#include "unit.h"

enum { LEVELS = 5, VALUES = 4, TUPLES = 1024, EVENTS = 5 };

/* A set of tuples as a bit each; a tuple is a number with LEVELS digits. */
typedef struct bits {
  bool has[TUPLES];
} bits;

static uint32_t digit(uint32_t tuple, uint32_t level)
{
  for (uint32_t i = level + 1; i < LEVELS; i++)
    tuple /= VALUES;
  return tuple % VALUES;
}

static uint32_t number_of(const uint32_t *digits)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < LEVELS; i++)
    n = n * VALUES + digits[i];
  return n;
}

static void digits_of(uint32_t tuple, uint32_t *digits)
{
  for (uint32_t i = 0; i < LEVELS; i++)
    digits[i] = digit(tuple, i);
}

typedef struct event {
  bool is_shift;
  mdd_shift shifts[LEVELS];
  uint32_t count;
  mdd_touch touch[LEVELS];
  uint32_t salt; /* of the function that a relation computes */
} event;

typedef struct world {
  mdd_manager *m;
  mdd_system *s;
  event events[EVENTS];
} world;

/* What a relation does with the digits that it touches; some vectors lead to
** two others, some nowhere. */
static unsigned relate(const event *e, const uint32_t *before, uint32_t count,
                       uint32_t after[2][LEVELS])
{
  uint32_t mix = e->salt;
  for (uint32_t i = 0; i < count; i++)
    mix = (mix ^ before[i]) * 2654435761u + 12345;
  unsigned results = mix >> 30;
  if (results > 2)
    results = 0;
  for (unsigned k = 0; k < results; k++)
    for (uint32_t i = 0; i < count; i++)
      after[k][i] = (mix >> (3 * i + 7 * k)) % VALUES;
  return results;
}

static mdd learn(void *context, uint32_t number, mdd fresh)
{
  world *w = context;
  const event *e = &w->events[number];
  uint32_t before[LEVELS], after[2][LEVELS], pair[2 * LEVELS];
  uint32_t levels[LEVELS], count = 0;
  for (uint32_t i = 0; i < LEVELS; i++)
    if (e->touch[i] != MDD_SKIP)
      levels[count++] = i;
  mdd relation = MDD_EMPTY;
  mdd_hold(w->m);
  for (bool more = mdd_first(w->m, fresh, before); more;
       more = mdd_next(w->m, fresh, before, count)) {
    unsigned results = relate(e, before, count, after);
    for (unsigned k = 0; k < results; k++) {
      uint32_t n = 0;
      for (uint32_t i = 0; i < count; i++) {
        pair[n++] = before[i];
        if (e->touch[levels[i]] == MDD_READ_WRITE)
          pair[n++] = after[k][i];
      }
      relation = mdd_insert(w->m, relation, pair, n);
    }
  }
  mdd_release(w->m);
  return relation;
}

/* The same, tuple by tuple; answers how many there are. */
static unsigned step_from(const event *e, uint32_t tuple, uint32_t *next)
{
  uint32_t digits[LEVELS], before[LEVELS], after[2][LEVELS];
  digits_of(tuple, digits);
  if (e->is_shift) {
    for (uint32_t i = 0; i < e->count; i++) {
      const mdd_shift *x = &e->shifts[i];
      if (digits[x->level] < x->least || digits[x->level] > x->most)
        return 0;
      digits[x->level] = (uint32_t)((int32_t)digits[x->level] + x->change);
    }
    next[0] = number_of(digits);
    return 1;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < LEVELS; i++)
    if (e->touch[i] != MDD_SKIP)
      before[count++] = digits[i];
  unsigned results = relate(e, before, count, after);
  for (unsigned k = 0; k < results; k++) {
    digits_of(tuple, digits);
    for (uint32_t i = 0, n = 0; i < LEVELS; i++) {
      if (e->touch[i] == MDD_READ_WRITE)
        digits[i] = after[k][n];
      n += e->touch[i] != MDD_SKIP;
    }
    next[k] = number_of(digits);
  }
  return results;
}

/* ---- random worlds ------------------------------------------------------ */

static void make_shift(random_state *r, event *e)
{
  e->is_shift = true;
  for (uint32_t i = 0; i < LEVELS; i++) {
    if (random_below(r, 2) || (i == LEVELS - 1 && !e->count)) {
      int32_t change = (int32_t)random_below(r, 3) - 1;
      mdd_shift x = {i, change < 0 ? 1 : 0, change > 0 ? VALUES - 2 : VALUES,
                     change};
      if (!change)
        x.least = (uint32_t)random_below(r, VALUES);
      e->shifts[e->count++] = x;
    }
  }
}

static void make_relation(random_state *r, event *e)
{
  bool any = false;
  e->salt = (uint32_t)random_below(r, UINT32_MAX);
  for (uint32_t i = 0; i < LEVELS; i++) {
    static const mdd_touch kinds[] = {MDD_SKIP, MDD_SKIP, MDD_READ,
                                      MDD_READ_WRITE};
    e->touch[i] = kinds[random_below(r, 4)];
    any |= e->touch[i] != MDD_SKIP;
  }
  if (!any)
    e->touch[LEVELS - 1] = MDD_READ_WRITE;
}

static void make_world(world *w, random_state *r)
{
  memset(w, 0, sizeof *w);
  w->m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd_system_options o = {.learn = learn, .context = w};
  w->s = mdd_system_create(w->m, LEVELS, &o);
  for (int i = 0; i < EVENTS; i++) {
    event *e = &w->events[i];
    if (random_below(r, 2)) {
      make_shift(r, e);
      assert_true(mdd_system_add_shift(w->s, e->shifts, e->count));
    } else {
      make_relation(r, e);
      assert_true(mdd_system_add_relation(w->s, e->touch));
    }
  }
}

static void free_world(world *w)
{
  mdd_system_destroy(w->s);
  assert_null(mdd_check(w->m));
  mdd_destroy(w->m);
}

static mdd set_of(world *w, const bits *b)
{
  mdd set = MDD_EMPTY;
  uint32_t digits[LEVELS];
  mdd_hold(w->m);
  for (uint32_t i = 0; i < TUPLES; i++)
    if (b->has[i]) {
      digits_of(i, digits);
      set = mdd_insert(w->m, set, digits, LEVELS);
    }
  mdd_release(w->m);
  return set;
}

static void random_bits(random_state *r, bits *b, uint32_t one_in)
{
  for (uint32_t i = 0; i < TUPLES; i++)
    b->has[i] = random_below(r, one_in) == 0;
}

static void naive_image(const event *e, const bits *from, bits *to)
{
  uint32_t next[2];
  memset(to, 0, sizeof *to);
  for (uint32_t i = 0; i < TUPLES; i++)
    for (unsigned k = from->has[i] ? step_from(e, i, next) : 0; k-- > 0;)
      to->has[next[k]] = true;
}

static void naive_close(const world *w, bits *set)
{
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < EVENTS; i++) {
      bits next;
      naive_image(&w->events[i], set, &next);
      for (uint32_t k = 0; k < TUPLES; k++)
        if (next.has[k] && !set->has[k])
          set->has[k] = more = true;
    }
  }
}

/* ---- tests -------------------------------------------------------------- */

static void closures(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    random_state r;
    world w;
    bits set;
    random_seed(&r, seed);
    make_world(&w, &r);
    /* Two closures, the second with what the first has learned. */
    for (int round = 0; round < 2; round++) {
      random_bits(&r, &set, 300);
      mdd start = mdd_ref(w.m, set_of(&w, &set));
      if (seed % 3 == 0)
        mdd_collect(w.m);
      mdd closed = mdd_ref(w.m, mdd_close(w.s, start));
      naive_close(&w, &set);
      assert_int_equal(closed, set_of(&w, &set));
      mdd_unref(w.m, start);
      mdd_unref(w.m, closed);
    }
    free_world(&w);
  }
}

static void images(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    random_state r;
    world w;
    bits from, to, all;
    random_seed(&r, seed);
    make_world(&w, &r);
    random_bits(&r, &from, 9);
    memset(&all, 1, sizeof all);
    mdd whole = mdd_ref(w.m, set_of(&w, &all));
    mdd set = mdd_ref(w.m, set_of(&w, &from));
    for (uint32_t i = 0; i < EVENTS; i++) {
      naive_image(&w.events[i], &from, &to);
      mdd image = mdd_ref(w.m, mdd_system_image(w.s, i, set));
      assert_int_equal(image, set_of(&w, &to));
      mdd_unref(w.m, image);
      assert_true(mdd_system_learn(w.s, i, whole));
      mdd before = mdd_ref(w.m, mdd_system_preimage(w.s, i, set, whole));
      for (uint32_t k = 0; k < TUPLES; k++) {
        uint32_t next[2];
        bool leads = false;
        for (unsigned n = step_from(&w.events[i], k, next); n-- > 0;)
          leads |= from.has[next[n]];
        to.has[k] = leads;
      }
      assert_int_equal(before, set_of(&w, &to));
      mdd_unref(w.m, before);
    }
    mdd_unref(w.m, set);
    mdd_unref(w.m, whole);
    free_world(&w);
  }
}

static void measures(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    random_state r;
    world w;
    bits set, part;
    int32_t factors[LEVELS];
    uint32_t least[LEVELS], most[LEVELS], seen[LEVELS] = {0};
    uint32_t low[LEVELS];
    int64_t greatest = INT64_MIN, found;
    random_seed(&r, seed);
    make_world(&w, &r);
    random_bits(&r, &set, 20);
    set.has[random_below(&r, TUPLES)] = true;
    memset(low, 0xff, sizeof low);
    for (int i = 0; i < LEVELS; i++)
      factors[i] = (int32_t)random_below(&r, 5) - 2;
    for (uint32_t i = 0; i < TUPLES; i++) {
      int64_t sum = 0;
      for (uint32_t k = 0; k < LEVELS; k++)
        sum += factors[k] * (int64_t)digit(i, k);
      part.has[i] = set.has[i] && sum >= -2 && sum <= 3;
      if (!set.has[i])
        continue;
      greatest = sum > greatest ? sum : greatest;
      for (uint32_t k = 0; k < LEVELS; k++) {
        seen[k] = digit(i, k) > seen[k] ? digit(i, k) : seen[k];
        low[k] = digit(i, k) < low[k] ? digit(i, k) : low[k];
      }
    }
    mdd all = mdd_ref(w.m, set_of(&w, &set));
    mdd some = mdd_ref(w.m, mdd_between(w.m, all, factors, LEVELS, -2, 3));
    assert_int_equal(some, set_of(&w, &part));
    assert_true(mdd_greatest(w.m, all, factors, &found));
    assert_int_equal(found, greatest);
    assert_true(mdd_extremes(w.m, all, least, most));
    assert_memory_equal(most, seen, sizeof most);
    assert_memory_equal(least, low, sizeof least);
    mdd_unref(w.m, all);
    mdd_unref(w.m, some);
    free_world(&w);
  }
}

static void outgrown(void **state)
{
  (void)state;
  mdd_manager *m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd_system *s = mdd_system_create(m, 1, &(mdd_system_options){0});
  mdd_shift x = {0, 0, MDD_SHIFT_MOST, 1 << 30};
  assert_true(mdd_system_add_shift(s, &x, 1));
  mdd start = mdd_tuple(m, &(uint32_t){5}, 1);
  assert_int_equal(mdd_close(s, start), MDD_FULL);
  assert_true(mdd_system_outgrown(s));
  mdd_system_destroy(s);
  mdd_destroy(m);
}

UNIT_MAIN(UNIT(closures), UNIT(images), UNIT(measures), UNIT(outgrown))
