/* The libraries of sets against each other: the same random systems in all,
** closed by saturation and step by step; then sets, steps and measures are
** compared, tuple by tuple. */

#include "unit.h"

#include "base/random.h"
#include "symbolic/library/set_library.h"

enum { LEVELS = 4, EVENTS = 5, BOTH = 2, SETS = 6, ROUNDS = 25 };

typedef struct plan {
  mdd_shift shifts[LEVELS];
  uint32_t shift_count;
  mdd_touch touch[LEVELS];
} plan;

typedef struct twins {
  random_state r;
  uint64_t seed;
  plan events[EVENTS];
  uint32_t start[LEVELS];
  set_library *libraries[BOTH];
  symbolic_set sets[BOTH][SETS]; /* protected */
} twins;

static unsigned below(twins *t, unsigned n)
{
  return (unsigned)random_below(&t->r, n);
}

/* Where a vector leads is a matter of its hash: small numbers, some of them
** negative, and now and then a large one. */
static uint32_t some_value(uint64_t hash)
{
  static const int32_t values[] = {0, 1, 2, 9, -2, 300};
  return (uint32_t)values[hash % (sizeof values / sizeof *values)];
}

static uint64_t mixed(uint64_t x)
{
  x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 29;
}

static bool ask(void *context, uint32_t event, const uint32_t *vector,
                library_answer *answer)
{
  const twins *t = context;
  const plan *p = &t->events[event];
  uint64_t hash = t->seed * 1000 + event;
  for (uint32_t i = 0, at = 0; i < LEVELS; i++)
    if (p->touch[i] != MDD_SKIP)
      hash = mixed(hash + vector[at++]);
  answer->successors = hash % 5 < 3 ? hash % 5 : 0;
  answer->outcome = answer->successors;
  for (uint32_t n = 0; n < answer->successors; n++)
    for (uint32_t i = 0; i < LEVELS; i++)
      if (p->touch[i] == MDD_READ_WRITE) {
        hash = mixed(hash);
        vec_push(&answer->after, some_value(hash));
      }
  return true;
}

static bool never(void *context)
{
  (void)context;
  return false;
}

/* Relations, or shifts; shifts would count negative numbers as large ones. */
static void choose_events(twins *t, bool net)
{
  for (int i = 0; i < EVENTS; i++) {
    plan *p = &t->events[i];
    *p = (plan){0};
    for (uint32_t level = 0; level < LEVELS; level++) {
      mdd_touch touch =
          (mdd_touch[]){MDD_SKIP, MDD_READ, MDD_READ_WRITE}[below(t, 3)];
      p->touch[level] = touch;
      if (!net || touch == MDD_SKIP)
        continue;
      int32_t change = touch == MDD_READ ? 0 : (int32_t)below(t, 5) - 2;
      uint32_t least = change < 0 ? (uint32_t)-change : 0;
      p->shifts[p->shift_count++] =
          (mdd_shift){level, least + below(t, 2), 3 + below(t, 8), change};
    }
    if (p->touch[0] == MDD_SKIP && !p->shift_count) {
      p->touch[0] = MDD_READ_WRITE;
      p->shifts[0] = (mdd_shift){0, 0, 7, 1};
      p->shift_count = 1;
    }
    p->shift_count = net ? p->shift_count : 0;
  }
  for (int i = 0; i < LEVELS; i++)
    t->start[i] = net ? below(t, 6) : some_value(below(t, 6));
}

static void create_bases(twins *t, bool reorder)
{
  library_options o = {.max_bytes = SIZE_MAX,
                       .levels = LEVELS,
                       .reorder = reorder,
                       .ask = ask,
                       .impatient = never,
                       .context = t};
  for (int i = 0; i < BOTH; i++) {
    set_library *b = t->libraries[i] = library_create((nut_base)i, &o);
    assert_non_null(b);
    memset(t->sets[i], 0, sizeof t->sets[i]);
    assert_true(set_protect(b, t->sets[i], SETS));
    for (int k = 0; k < EVENTS; k++) {
      const plan *p = &t->events[k];
      assert_true(p->shift_count
                      ? library_add_shift(b, p->shifts, p->shift_count)
                      : library_add_relation(b, p->touch));
    }
  }
}

/* Set 0 is the start, set 1 its closure, set 2 what steps find. */
static void explore(set_library *b, const uint32_t *start, symbolic_set *sets)
{
  sets[0] = sets[1] = sets[2] = set_tuple(b, start);
  for (bool wider = true; wider;) {
    sets[1] = set_close(b, sets[1]);
    assert_int_not_equal(sets[1], SET_FULL);
    assert_true(set_widen(b, &wider));
  }
  for (bool more = true; more;) {
    sets[3] = sets[2];
    for (uint32_t i = 0; i < EVENTS; i++) {
      sets[4] = set_image(b, i, sets[2]);
      sets[2] = set_union(b, sets[2], sets[4]);
    }
    more = sets[2] != sets[3];
  }
  assert_int_equal(sets[1], sets[2]);
}

/* The same tuples in both: as many, and all of the one in the other. */
static void assert_same(twins *t, symbolic_set x, symbolic_set y)
{
  static const uint32_t levels[LEVELS] = {0, 1, 2, 3};
  bignum count[BOTH] = {{0}, {0}};
  assert_true(set_count(t->libraries[0], x, &count[0]));
  assert_true(set_count(t->libraries[1], y, &count[1]));
  uint64_t n = 0, other = 0, seen = 0;
  assert_true(bignum_to_u64(&count[0], &n) && bignum_to_u64(&count[1], &other));
  assert_int_equal(n, other);
  set_cut *cut = cut_create(t->libraries[0], levels, LEVELS);
  uint32_t tuple[LEVELS];
  for (bool more = cut_first(cut, x, tuple); more;
       more = cut_next(cut, x, tuple)) {
    symbolic_set one = set_tuple(t->libraries[1], tuple);
    assert_int_not_equal(set_intersect(t->libraries[1], y, one), SET_EMPTY);
    seen++;
  }
  assert_int_equal(seen, n);
  cut_destroy(cut);
  bignum_free(&count[0]);
  bignum_free(&count[1]);
}

/* Some of the reachable states, the same in both. */
static void choose_part(twins *t)
{
  static const uint32_t levels[2] = {1, 3};
  set_cut *cut = cut_create(t->libraries[0], levels, 2);
  set_cut *twin = cut_create(t->libraries[1], levels, 2);
  symbolic_set all = t->sets[0][4] = cut_project(cut, t->sets[0][1]);
  t->sets[0][5] = t->sets[1][5] = SET_EMPTY;
  uint32_t vector[2];
  for (bool more = cut_first(cut, all, vector); more;
       more = cut_next(cut, all, vector))
    if (below(t, 2)) {
      t->sets[0][5] = cut_insert(cut, t->sets[0][5], vector);
      t->sets[1][5] = cut_insert(twin, t->sets[1][5], vector);
    }
  t->sets[0][3] = cut_restrict(cut, t->sets[0][1], t->sets[0][5]);
  t->sets[1][3] = cut_restrict(twin, t->sets[1][1], t->sets[1][5]);
  cut_destroy(cut);
  cut_destroy(twin);
  assert_same(t, t->sets[0][3], t->sets[1][3]);
}

static void compare_steps(twins *t)
{
  symbolic_set found[BOTH];
  for (uint32_t e = 0; e < EVENTS; e++) {
    for (int i = 0; i < BOTH; i++)
      found[i] = t->sets[i][4] =
          set_preimage(t->libraries[i], e, t->sets[i][3], t->sets[i][1]);
    assert_same(t, found[0], found[1]);
    for (int i = 0; i < BOTH; i++)
      found[i] = t->sets[i][4] = set_image(t->libraries[i], e, t->sets[i][3]);
    assert_same(t, found[0], found[1]);
    for (int i = 0; i < BOTH; i++)
      found[i] = t->sets[i][4] =
          t->events[e].shift_count
              ? set_enabled(t->libraries[i], e, t->sets[i][1])
              : set_outcome(t->libraries[i], e, 1, t->sets[i][1]);
    assert_same(t, found[0], found[1]);
  }
}

static void compare_measures(twins *t)
{
  int32_t factors[LEVELS];
  uint32_t least[BOTH][LEVELS], most[BOTH][LEVELS];
  int64_t sum[BOTH], lo = (int64_t)below(t, 40) - 20, hi = lo + below(t, 20);
  for (int i = 0; i < LEVELS; i++)
    factors[i] = (int32_t)below(t, 5) - 2;
  for (int i = 0; i < BOTH; i++) {
    set_library *b = t->libraries[i];
    assert_true(set_greatest(b, t->sets[i][1], factors, &sum[i]));
    assert_true(set_extremes(b, t->sets[i][1], least[i], most[i]));
    t->sets[i][4] = set_between(b, t->sets[i][1], factors, lo, hi);
  }
  assert_true(sum[0] == sum[1]);
  assert_memory_equal(least[0], least[1], sizeof least[0]);
  assert_memory_equal(most[0], most[1], sizeof most[0]);
  assert_same(t, t->sets[0][4], t->sets[1][4]);
}

static void both_bases(uint64_t first_seed, bool net)
{
  twins t = {0};
  for (t.seed = first_seed; t.seed < first_seed + ROUNDS; t.seed++) {
    random_seed(&t.r, t.seed);
    choose_events(&t, net);
    create_bases(&t, t.seed & 1);
    for (int i = 0; i < BOTH; i++)
      explore(t.libraries[i], t.start, t.sets[i]);
    assert_same(&t, t.sets[0][1], t.sets[1][1]);
    choose_part(&t);
    compare_steps(&t);
    compare_measures(&t);
    library_destroy(t.libraries[0]);
    library_destroy(t.libraries[1]);
  }
}

static void relations(void **state)
{
  (void)state;
  both_bases(1, false);
}

static void shifts(void **state)
{
  (void)state;
  both_bases(10000, true);
}

UNIT_MAIN(UNIT(relations), UNIT(shifts))
