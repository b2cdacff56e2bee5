/* Searches that go on with a disk when memory is used up, or with runs in memory,
** against those that have enough of it; with '--models STATES FILE...' on models (tests/run-disk). */

#include "load_kit.h"
#include "same_result.h"
#include "search_kit.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[64];
/* How often the tables were begun anew: by threads, with a reduction or not. */
static uint64_t renewals[2][2];

/* How a search is done. */
typedef struct manner {
  uint32_t threads;
  uint64_t max_errors, depth;
  nut_por por;
  bool count;
  size_t bytes;  /* of store and frontier; 0: all there are */
  bool dense;    /* there is no disk */
  bool together; /* cohorts are large from the first state on */
} manner;

static search_result walk_under(kit *k, const manner *m, limits *l)
{
  search_options o = search_defaults();
  o.limits = l;
  o.asked.search = NUT_BFS;
  o.asked.threads = m->threads;
  o.asked.max_errors = m->max_errors;
  o.asked.depth = m->depth;
  o.asked.por = m->por;
  o.asked.liveness = false;
  o.count = m->count;
  o.share_after = 1;
  o.learn_at = 50;
  o.cohort_after = m->together;
  if (m->bytes && !m->dense)
    o.asked.disk = folder;
  o.condenses = m->dense;
  o.disk_bytes = m->bytes;
  search_result r;
  search_run(k->program, &o, &r);
  return r;
}

static search_result walk(kit *k, const manner *m)
{
  return walk_under(k, m, NULL);
}

/* With one part in 2, 4, 10 of the memory; each must have been too little. */
static const char *compare_parts(kit *k, manner m, uint64_t least,
                                 uint64_t *spilled)
{
  static const size_t parts[] = {2, 4, 10};
  manner all = m;
  all.threads = 1;
  search_result one = walk(k, &all);
  uint64_t bytes = one.stats.store_bytes + 8 * one.stats.frontier;
  const char *wrong = NULL;
  for (size_t i = 0; i < 3 && !wrong; i++) {
    m.bytes = bytes / parts[i];
    search_result r = walk(k, &m);
    wrong = result_difference(&one, &r);
    if (!wrong && r.stats.states >= least && !r.disk.spilled_at)
      wrong = "nothing was spilled";
    if (!wrong && r.disk.spilled_at && r.disk.is_dense != m.dense)
      wrong = "it was spilled to another place";
    *spilled += r.disk.spills;
    renewals[m.threads > 1][m.por != NUT_POR_OFF] += r.disk.renewals;
    search_result_free(&r);
  }
  search_result_free(&one);
  return wrong;
}

/* ---- models by hand --------------------------------------------------------- */

static void parts_of(kit k)
{
  uint64_t spilled[2] = {0};
  kit_finish(&k);
  for (unsigned i = 0; i < 24; i++) {
    nut_por reduces = i / 6 % 2 ? NUT_POR_AMPLE : NUT_POR_STUBBORN;
    manner m = {.threads = i % 2 ? 4 : 1,
                .max_errors = i / 2 % 2,
                .por = i % 3 == 2 ? reduces : NUT_POR_OFF,
                .count = i % 4 == 3,
                .dense = i >= 12};
    const char *wrong = compare_parts(&k, m, UINT64_MAX, &spilled[m.dense]);
    if (wrong)
      fail_msg("%s, in manner %u", wrong, i);
  }
  assert_true(spilled[0] > 0 && spilled[1] > 0);
  kit_destroy(&k);
}

static kit with_invariant(kit k)
{
  add_property(&k, PROPERTY_INVARIANT, "small",
               binary(&k, OP_LT, use(&k, k.m->globals.data[1]), number(&k, 9)));
  return k;
}

static void parts(void **state)
{
  (void)state;
  parts_of(make_grid(3, 14, LOC_END, 0));
  parts_of(make_grid(4, 8, 0, 0));
  parts_of(make_grid(3, 16, 0, 9));
  parts_of(make_family(6, false));
  parts_of(with_invariant(make_grid(3, 14, LOC_END, 0)));
  parts_of(with_invariant(make_grid(4, 10, 0, 7)));
  for (int i = 0; i < 4; i++)
    assert_true(renewals[i / 2][i % 2] > 0);
}

/* Memory runs out at some allocation: the answer is right, or there is none. */
static void failing(void **state)
{
  (void)state;
  kit k = make_grid(3, 10, LOC_END, 0);
  kit_finish(&k);
  for (int i = 0; i < 4; i++) {
    manner m = {.threads = 1,
                .por = i % 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .dense = i / 2};
    search_result one = walk(&k, &m);
    bool is_over = false;
    m.bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / 3;
    for (uint64_t n = 1; !is_over; n += n < 100 ? 1 : n / 20) {
      m.threads = 1 + n % 3;
      mem_fail_at(n);
      search_result r = walk(&k, &m);
      mem_fail_at(0);
      is_over = r.complete && !result_difference(&one, &r);
      assert_true(is_over || !r.complete);
      assert_true(r.stats.states <= one.stats.states);
      search_result_free(&r);
      assert_true(n < 10000000);
    }
    search_result_free(&one);
  }
  kit_destroy(&k);
}

/* ---- one refusal ---------------------------------------------------------------- */

/* The n-th that asks for memory gets none. */
static atomic_llong asked_before_refusal;

static bool grant_all_but_one(mem_budget *b, long long wanted)
{
  (void)b;
  (void)wanted;
  return atomic_fetch_sub(&asked_before_refusal, 1) != 1;
}

static search_result walk_refused(kit *k, const manner *m, long long n)
{
  limits l;
  limits_start(&l, &(limits_asked){0});
  l.budget.granted = 0;
  l.budget.grant = grant_all_but_one;
  atomic_store(&asked_before_refusal, n);
  mem_budget *outer = limits_enter(&l);
  search_result r = walk_under(k, m, &l);
  limits_leave(outer);
  return r;
}

/* Where the denser form does not pay, what was put by is used, and the search goes
** on as it was.  What was stored of the cohort that was left is there, then. */
/* A trace could not be made, which takes memory, too. */
static bool is_untold(const search_result *r)
{
  bool untold = false;
  for (size_t i = 0; i < r->answers.len; i++)
    untold |= r->answers.data[i].untold != REASON_NONE;
  return untold;
}

static void going_on_with(kit k)
{
  unsigned went_on = 0;
  kit_finish(&k);
  for (int i = 0; i < 8; i++) {
    manner m = {.threads = 1,
                .max_errors = i / 2 % 2,
                .por = i % 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .together = true};
    search_result one = walk(&k, &m);
    m.dense = true;
    m.threads = i / 4 ? 4 : 1;
    long long n = 1;
    for (bool is_over = false; !is_over; n++) {
      search_result r = walk_refused(&k, &m, n);
      is_over = atomic_load(&asked_before_refusal) > 0;
      bool is_told = r.complete && !is_untold(&r);
      const char *wrong = is_told ? result_difference(&one, &r) : NULL;
      if (r.complete && r.stats.states != one.stats.states)
        wrong = "states are lost";
      went_on += !is_over && is_told;
      if (wrong)
        fail_msg("%s, in manner %d when %d was refused", wrong, i, (int)n);
      search_result_free(&r);
      assert_true(n < 100000);
    }
    search_result_free(&one);
  }
  assert_true(went_on > 0);
  kit_destroy(&k);
}

static void going_on(void **state)
{
  (void)state;
  going_on_with(with_invariant(make_grid(4, 7, LOC_END, 0)));
  going_on_with(make_grid(3, 14, LOC_END, 0));
}

/* ---- models of files --------------------------------------------------------- */

static uint64_t depth_for(kit *k, uint64_t states)
{
  uint64_t depth = 4;
  for (bool more = true; more && depth < 4096;) {
    manner m = {.threads = 1, .depth = depth * 2, .count = true};
    search_result r = walk(k, &m);
    more = !r.complete && r.stats.states < states;
    depth *= more ? 2 : 1;
    search_result_free(&r);
  }
  return depth;
}

static const char *compare(kit *k, uint64_t states, bool all)
{
  static unsigned turn;
  uint64_t spilled = 0;
  k->program = program_create(k->m, NULL, k->diags);
  if (!k->program)
    return "no program";
  if (program_hidden(k->program) || k->m->flags & MODEL_HAS_C)
    return NULL;
  uint64_t depth = depth_for(k, states);
  const char *wrong = NULL;
  for (unsigned i = 0; i < (all ? 8 : 4) && !wrong; i++, turn++) {
    nut_por reduces = turn / 8 % 2 ? NUT_POR_AMPLE : NUT_POR_STUBBORN;
    manner m = {.threads = i % 2 ? 4 : 1,
                .max_errors = turn % 3 == 0,
                .depth = depth,
                .por = i / 2 % 2 ? reduces : NUT_POR_OFF,
                .count = turn % 6 == 5};
    wrong = compare_parts(k, m, 2000, &spilled);
    m.dense = true;
    if (!wrong)
      wrong = compare_parts(k, m, 2000, &spilled);
  }
  return wrong;
}

static int compare_models(int count, char **files, uint64_t states, bool all)
{
  int failed = 0;
  for (int i = 0; i < count; i++) {
    kit k;
    if (!kit_load(&k, files[i])) {
      printf("skip - %s\n", files[i]);
      kit_destroy(&k);
      continue;
    }
    const char *wrong = compare(&k, states, all);
    printf("%s - %s%s%s\n", wrong ? "not ok" : "ok", files[i],
           wrong ? ": " : "", wrong ? wrong : "");
    failed += wrong != NULL;
    kit_destroy(&k);
  }
  return failed != 0;
}

static int prepare(void **state)
{
  (void)state;
  bool in_memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(folder, sizeof folder, "%s/nutshell-test-XXXXXX",
           in_memory ? "/dev/shm" : "/tmp");
  return !mkdtemp(folder);
}

static int tidy(void **state)
{
  (void)state;
  return rmdir(folder);
}

int main(int argc, char **argv)
{
  if (argc > 3 && (!strcmp(argv[1], "--models") || !strcmp(argv[1], "--all"))) {
    if (prepare(NULL))
      return 1;
    int failed = compare_models(argc - 3, argv + 3, strtoull(argv[2], NULL, 10),
                                argv[1][2] == 'a');
    return tidy(NULL) || failed;
  }
  const struct CMUnitTest tests[] = {
      UNIT(parts),
      UNIT(failing),
      UNIT(going_on),
  };
  return cmocka_run_group_tests(tests, prepare, tidy);
}
