/* Searches level by level with several threads, which share every level from
** the first on, against a naive explorer and against each other; with
** '--models STATES FILE...' on models, against the breadth-first search of other
** stores (tests/run-threads). */

#include "load_kit.h"
#include "same_result.h"
#include "search_kit.h"

#include <stdlib.h>

static const uint32_t teams[] = {1, 2, 3, 8};
enum { TEAMS = sizeof teams / sizeof *teams, TIMES = 5 };

static search_options options_for(uint32_t threads, unsigned time)
{
  search_options o = search_defaults();
  o.asked.search = NUT_BFS;
  o.asked.threads = threads;
  o.share_after = 1;
  o.cohort_after = time % 2 ? 1 : 0;
  o.learn_at = time % 3 ? 10 + time : 0;
  return o;
}

static search_result run_team(kit *k, const search_options *o)
{
  search_result result;
  search_run(k->program, o, &result);
  return result;
}

static void counts_of(kit k)
{
  kit_finish(&k);
  truth t = explore(&k);
  for (unsigned i = 0; i < TEAMS * TIMES; i++) {
    search_options o = options_for(teams[i % TEAMS], i);
    o.count = true;
    search_result r = run_team(&k, &o);
    assert_true(r.complete);
    assert_int_equal(r.stats.states, t.states);
    assert_int_equal(r.stats.expanded, t.states);
    assert_int_equal(r.stats.transitions, t.transitions);
    assert_int_equal(r.stats.blocked, t.blocked);
    assert_int_equal(r.stats.deadlocks, t.deadlocks);
    assert_int_equal(r.stats.errors, t.faults + t.deadlocks);
    assert_int_equal(r.stats.depth, t.depth);
    for (size_t e = 0; e < k.m->edges.len; e++)
      assert_true(search_edge_reached(&r, (uint32_t)e));
    search_result_free(&r);
  }
  kit_destroy(&k);
}

static void counts(void **state)
{
  (void)state;
  counts_of(make_grid(1, 2, LOC_END, 0));
  counts_of(make_grid(3, 6, LOC_END, 0));
  counts_of(make_grid(4, 8, 0, 0));
  counts_of(make_grid(3, 9, 0, 3));
  counts_of(make_family(1, false));
  counts_of(make_family(6, false));
  counts_of(make_family(5, true)); /* hidden: not by levels */
}

static void assert_same_trace(const trace *a, const trace *b)
{
  assert_non_null(a);
  assert_non_null(b);
  assert_int_equal(a->end, b->end);
  assert_int_equal(a->fault_edge, b->fault_edge);
  assert_int_equal(a->steps.len, b->steps.len);
  assert_int_equal(a->bytes.len, b->bytes.len);
  assert_memory_equal(a->bytes.data, b->bytes.data, a->bytes.len);
  for (size_t i = 0; i < a->steps.len; i++) {
    assert_int_equal(a->steps.data[i].edge, b->steps.data[i].edge);
    assert_int_equal(a->steps.data[i].process, b->steps.data[i].process);
  }
}

static void assert_same(const search_result *a, const search_result *b)
{
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->complete, b->complete);
  assert_int_equal(a->reason, b->reason);
  assert_int_equal(a->stats.states, b->stats.states);
  assert_int_equal(a->stats.transitions, b->stats.transitions);
  assert_int_equal(a->stats.deadlocks, b->stats.deadlocks);
  assert_int_equal(a->stats.errors, b->stats.errors);
  assert_int_equal(a->stats.depth, b->stats.depth);
  assert_int_equal(a->answers.len, b->answers.len);
  for (size_t i = 0; i < a->answers.len; i++) {
    const answer *x = &a->answers.data[i], *y = &b->answers.data[i];
    assert_int_equal(x->verdict, y->verdict);
    assert_int_equal(x->errors, y->errors);
    assert_int_equal(!x->trace, !y->trace);
    if (x->trace)
      assert_same_trace(x->trace, y->trace);
  }
}

/* A model with errors: the answer is the same for all teams, and of those of
** one level the least counts. */
static void errors_of(kit k, uint64_t max_errors)
{
  kit_finish(&k);
  search_options first = options_for(1, 0);
  first.asked.max_errors = max_errors;
  search_result expected = run_team(&k, &first);
  assert_int_equal(expected.verdict, VERDICT_VIOLATED);
  for (size_t i = 0; i < expected.answers.len; i++)
    assert_int_equal(expected.answers.data[i].errors != 0,
                     expected.answers.data[i].trace != NULL);
  for (unsigned i = 0; i < TEAMS * TIMES; i++) {
    search_options o = options_for(teams[i % TEAMS], i);
    o.asked.max_errors = max_errors;
    search_result r = run_team(&k, &o);
    assert_same(&expected, &r);
    search_result_free(&r);
  }
  search_result_free(&expected);
  kit_destroy(&k);
}

static kit with_invariant(kit k)
{
  add_property(&k, PROPERTY_INVARIANT, "small",
               binary(&k, OP_LT, use(&k, k.m->globals.data[1]), number(&k, 5)));
  return k;
}

static void errors(void **state)
{
  (void)state;
  for (uint64_t most = 0; most < 2; most++) {
    errors_of(make_grid(3, 9, 0, 4), most);
    errors_of(make_grid(4, 6, 0, 0), most);
    errors_of(with_invariant(make_grid(3, 9, LOC_END, 0)), most);
    errors_of(with_invariant(make_grid(3, 9, 0, 7)), most);
    errors_of(with_invariant(make_family(7, false)), most);
  }
}

/* Whatever allocation fails, in whichever thread, also on the way to a trace:
** never 'holds' without having seen all, and all memory is given back (which is
** looked at after the test). */
static void failing_of(kit k, bool is_bad, nut_por por)
{
  kit_finish(&k);
  for (uint32_t threads = 1; threads <= 3; threads++) {
    bool through = false;
    for (uint64_t n = 1; !through; n += n < 300 ? 1 : n / 20) {
      search_options o = options_for(threads, 1);
      o.asked.max_errors = 0;
      o.asked.por = por;
      mem_fail_at(n);
      search_result r = run_team(&k, &o);
      mem_fail_at(0);
      assert_true(r.complete || r.verdict != VERDICT_HOLDS);
      if (r.complete) {
        assert_int_equal(r.verdict, is_bad ? VERDICT_VIOLATED : VERDICT_HOLDS);
        if (por == NUT_POR_OFF)
          assert_int_equal(r.stats.states, 7 * 7 * 7);
      }
      through = r.complete && (!is_bad || r.answers.data[0].trace);
      search_result_free(&r);
    }
  }
  kit_destroy(&k);
}

static void failing_allocations(void **state)
{
  (void)state;
  failing_of(make_grid(3, 7, LOC_END, 0), false, NUT_POR_OFF);
  failing_of(make_grid(3, 7, 0, 4), true, NUT_POR_OFF);
  failing_of(make_grid(3, 7, LOC_END, 0), false, NUT_POR_STUBBORN);
  failing_of(make_grid(3, 7, 0, 4), true, NUT_POR_STUBBORN);
}

/* ---- dives ------------------------------------------------------------- */

/* The order is left to the search, which goes by levels almost at once, and dives
** behind 20 times 'size' states. */
static search_options dive_options(uint32_t threads, uint64_t size)
{
  search_options o = options_for(threads, threads);
  o.asked.search = NUT_SEARCH_AUTO;
  o.shallow = true;
  o.first = 3;
  o.cohort_after = 0;
  o.deep = size;
  return o;
}

/* Each process counts to its end, so that a depth-first search soon comes to the
** last state of all, where a search by levels ends. */
static void dives(void **state)
{
  (void)state;
  kit k = make_grid(5, 5, 0, 0);
  kit_finish(&k);
  search_options o = dive_options(1, 120);
  search_result one = run_team(&k, &o);
  assert_int_equal(one.verdict, VERDICT_VIOLATED);
  assert_int_equal(one.order, NUT_BFS);
  assert_true(one.stats.states >= 20 * 120 &&
              one.stats.states < 5 * 5 * 5 * 5 * 5);
  assert_true(one.stats.deep_states > 0 && one.stats.deep_states < 120);
  for (unsigned i = 1; i < TEAMS; i++) {
    o = dive_options(teams[i], 120);
    search_result r = run_team(&k, &o);
    assert_same(&one, &r);
    assert_int_equal(r.stats.deep_states, one.stats.deep_states);
    search_result_free(&r);
  }
  search_result_free(&one);
  kit_destroy(&k);
}

/* Who dives for nothing, or not at all, finds what is there by levels. */
static void dives_for_nothing(void **state)
{
  (void)state;
  kit k = make_grid(4, 6, LOC_END, 0);
  kit_finish(&k);
  for (unsigned i = 0; i < 5 * TEAMS; i++) {
    search_options o = dive_options(teams[i % TEAMS], 3);
    limits l;
    limits_start(&l, &(limits_asked){.memory_bytes = 8 << 20});
    o.deep = i / TEAMS == 4 ? 40000 : 3;
    o.limits = o.deep > 3 ? &l : NULL; /* it is not enough for that */
    o.asked.max_errors = i / TEAMS == 1 ? 0 : 1;
    o.asked.search = i / TEAMS == 2 ? NUT_BFS : NUT_SEARCH_AUTO;
    o.shallow = i / TEAMS != 3;
    search_result r = run_team(&k, &o);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    assert_int_equal(r.stats.states, 6 * 6 * 6 * 6);
    /* One of 3 behind 60 states, of 12 behind 300 */
    assert_int_equal(r.stats.deep_states > 0, i / TEAMS == 0);
    assert_true(i / TEAMS || r.stats.deep_states >= 3 + 12);
    search_result_free(&r);
  }
  kit_destroy(&k);
}

/* Memory that ends in a dive, or a limit of time, never makes 'holds'. */
static void failing_dives(void **state)
{
  (void)state;
  for (unsigned is_bad = 0; is_bad < 2; is_bad++) {
    kit k = make_grid(5, 5, is_bad ? 0 : LOC_END, 0);
    kit_finish(&k);
    bool through = false;
    for (uint64_t n = 1; !through; n += n < 300 ? 1 : n / 20) {
      search_options o = dive_options(1 + n % 3, 120);
      mem_fail_at(n);
      search_result r = run_team(&k, &o);
      mem_fail_at(0);
      assert_true(r.complete || r.verdict != VERDICT_HOLDS);
      for (size_t a = 0; a < r.answers.len; a++)
        through |=
            r.answers.data[a].trace && r.stats.states < 5 * 5 * 5 * 5 * 5;
      through |= !is_bad && r.complete && r.stats.deep_states;
      search_result_free(&r);
    }
    kit_destroy(&k);
  }
}

/* ---- models of files --------------------------------------------------- */

/* What differs in a figure, in words, or NULL. */
static const char *difference(const search_result *a, const search_result *b)
{
  if (a->stats.states != b->stats.states)
    return "states";
  if (a->stats.transitions != b->stats.transitions)
    return "transitions";
  if (a->stats.deadlocks != b->stats.deadlocks)
    return "deadlocks";
  if (a->stats.errors != b->stats.errors)
    return "errors";
  if (a->stats.depth != b->stats.depth)
    return "depth";
  if (a->verdict != b->verdict || a->reason != b->reason)
    return "verdict";
  if (a->stuck != b->stuck || a->stuck_edge != b->stuck_edge)
    return "stuck";
  if (a->reached.len != b->reached.len ||
      memcmp(a->reached.data, b->reached.data, a->reached.len))
    return "reached";
  return NULL;
}

/* The same for runs that go by levels: answers and traces as well. */
static const char *full_difference(const search_result *a,
                                   const search_result *b)
{
  const char *first = difference(a, b);
  for (size_t i = 0; !first && i < a->answers.len; i++) {
    const answer *x = &a->answers.data[i], *y = &b->answers.data[i];
    if (x->verdict != y->verdict || x->errors != y->errors)
      first = "an answer";
    else if (!is_same_trace(x->trace, y->trace))
      first = "a trace";
  }
  return first;
}

/* The limit of states is one of depth, so that it is the same for all. */
static uint64_t depth_for(kit *k, uint64_t states)
{
  uint64_t depth = 4;
  for (bool more = true; more && depth < 4096;) {
    search_options o = search_defaults();
    o.asked.search = NUT_BFS;
    o.asked.depth = depth * 2;
    o.count = true;
    search_result r = run_team(k, &o);
    more = !r.complete && r.stats.states < states;
    depth *= more ? 2 : 1;
    search_result_free(&r);
  }
  return depth;
}

static const char *compare_counts(kit *k, uint64_t depth)
{
  search_options o = options_for(1, 0);
  o.count = true;
  o.asked.depth = depth;
  o.asked.store = "collapse+table"; /* not by levels */
  search_result twin = run_team(k, &o);
  const char *wrong = NULL;
  for (unsigned i = 0; i < TEAMS && !wrong; i++) {
    o = options_for(teams[i], i);
    o.count = true;
    o.asked.depth = depth;
    o.asked.store = i % 2 ? "raw+table" : NULL;
    search_result r = run_team(k, &o);
    wrong = difference(&twin, &r);
    search_result_free(&r);
  }
  search_result_free(&twin);
  return wrong;
}

static const char *compare_checks(kit *k, uint64_t depth, uint64_t errors)
{
  search_options o = options_for(1, 0);
  o.asked.depth = depth;
  o.asked.max_errors = errors;
  o.asked.liveness = false;
  search_result one = run_team(k, &o);
  const char *wrong = NULL;
  for (unsigned i = 1; i < TEAMS && !wrong; i++) {
    o.asked.threads = teams[i];
    o.learn_at = 50 * i;
    search_result r = run_team(k, &o);
    wrong = full_difference(&one, &r);
    search_result_free(&r);
  }
  search_result_free(&one);
  return wrong;
}

/* Reduced searches: all teams find the same, and what the full search finds;
** where that is told by the depth limit, nothing can be compared. */
static const char *differs_from_full(const search_result *full,
                                     const search_result *reduced)
{
  if (reduced->stats.states > full->stats.states)
    return "more states than the full search";
  if (reduced->stats.deadlocks != full->stats.deadlocks)
    return "deadlocks of the full search";
  for (size_t i = 0; i < full->answers.len; i++)
    if (full->answers.data[i].verdict != reduced->answers.data[i].verdict)
      return "a verdict of the full search";
  return NULL;
}

static const char *compare_reduced(kit *k, uint64_t depth, nut_por por,
                                   const char *name)
{
  search_options o = options_for(1, 0);
  o.asked.depth = depth;
  o.asked.max_errors = 0;
  o.asked.liveness = false;
  o.asked.por = NUT_POR_OFF;
  search_result full = run_team(k, &o);
  o.asked.por = por;
  o.asked.store = name;
  search_result one = run_team(k, &o);
  const char *wrong = full.complete ? differs_from_full(&full, &one) : NULL;
  for (unsigned i = 1; i < TEAMS && !wrong; i++) {
    o.asked.threads = teams[i];
    o.learn_at = 30 * i;
    search_result r = run_team(k, &o);
    wrong = full_difference(&one, &r);
    search_result_free(&r);
  }
  search_result_free(&one);
  search_result_free(&full);
  return wrong;
}

/* Models with more states are left out. */
static bool is_small(kit *k, uint64_t states)
{
  search_options o = search_defaults();
  o.asked.search = NUT_BFS;
  o.prefix = states;
  o.count = true;
  search_result r = run_team(k, &o);
  bool small = r.stats.states < states;
  search_result_free(&r);
  return small;
}

/* With dives at few states: all teams find the same; one error, or none, as the
** full search does. */
static const char *compare_dives(kit *k)
{
  search_options o = dive_options(1, 5);
  o.asked.liveness = false;
  o.asked.por = NUT_POR_OFF;
  o.asked.max_errors = 0;
  search_result full = run_team(k, &o);
  o.asked.max_errors = 1;
  o.asked.por = NUT_POR_ON;
  search_result one = run_team(k, &o);
  const char *wrong =
      full.complete && full.verdict != one.verdict ? "the verdict" : NULL;
  for (unsigned i = 1; i < TEAMS && !wrong; i++) {
    o.asked.threads = teams[i];
    search_result r = run_team(k, &o);
    wrong = full_difference(&one, &r);
    if (!wrong && one.stats.deep_states != r.stats.deep_states)
      wrong = "a dive";
    search_result_free(&r);
  }
  search_result_free(&one);
  search_result_free(&full);
  return wrong;
}

/* Depth first, where a reduction is given up early on: what the full search finds
** is found. */
static const char *compare_reckoning(kit *k, uint64_t states)
{
  search_options o = search_defaults();
  const char *wrong = NULL;
  o.asked.search = NUT_DFS;
  o.asked.max_errors = 0;
  o.asked.liveness = false;
  o.asked.por = NUT_POR_OFF;
  search_result full = run_team(k, &o);
  o.cohort_after = 1;
  for (o.reckon_after = 1; o.reckon_after < states && !wrong;
       o.reckon_after *= 3) {
    o.asked.por = o.asked.por == NUT_POR_STUBBORN ? NUT_POR_AMPLE
                  : o.asked.por == NUT_POR_AMPLE  ? NUT_POR_ON
                                                  : NUT_POR_STUBBORN;
    search_result r = run_team(k, &o);
    wrong = full.complete ? differs_from_full(&full, &r) : NULL;
    search_result_free(&r);
  }
  search_result_free(&full);
  return wrong;
}

/* One way after the other, so that every third model has the same. */
static const char *compare_some_way(kit *k, uint64_t depth)
{
  static unsigned turn;
  switch (turn++ % 3) {
  case 0:
    return compare_reduced(k, depth, NUT_POR_STUBBORN, NULL);
  case 1:
    return compare_reduced(k, depth, NUT_POR_AMPLE, NULL);
  default:
    return compare_reduced(k, depth, NUT_POR_STUBBORN, "raw+table");
  }
}

static const char *compare(kit *k, uint64_t states)
{
  k->program = program_create(k->m, NULL, k->diags);
  if (!k->program)
    return "no program";
  uint64_t depth = depth_for(k, states);
  const char *wrong = compare_counts(k, depth);
  for (uint64_t errors = 0; errors < 2 && !wrong; errors++)
    wrong = compare_checks(k, depth, errors);
  if (!wrong)
    wrong = compare_some_way(k, depth);
  if (wrong || !is_small(k, states))
    return wrong;
  wrong = compare_reckoning(k, states);
  return wrong ? wrong : compare_dives(k);
}

/* ---- infinite runs ------------------------------------------------------- */

/* They go over to levels after few states. */
static search_options runs_options(nut_fair fair, nut_por por, uint32_t threads)
{
  search_options o = search_defaults();
  o.asked.max_errors = 0;
  o.asked.fair = fair;
  o.asked.por = por;
  o.asked.threads = threads;
  o.first = 3;
  o.share_after = 1;
  o.cohort_after = 1;
  o.learn_at = 10 * threads;
  return o;
}

/* Verdicts of a search of one thread that knows nothing of levels. */
static const char *differs_from_twin(kit *k, const search_result *one,
                                     nut_fair fair, nut_algorithm algorithm)
{
  search_options o = runs_options(fair, NUT_POR_OFF, 1);
  o.asked.algorithm = algorithm;
  o.asked.search = NUT_DFS;
  o.asked.store = "collapse+table";
  search_result twin = run_team(k, &o);
  const char *wrong = NULL;
  for (size_t i = 0; i < twin.answers.len; i++)
    if (twin.answers.data[i].verdict != one->answers.data[i].verdict &&
        twin.answers.data[i].verdict != VERDICT_UNKNOWN)
      wrong = "a verdict of the twin";
  search_result_free(&twin);
  return wrong;
}

static const char *runs_difference(const search_result *a,
                                   const search_result *b)
{
  if (a->stats.product_states != b->stats.product_states ||
      a->stats.product_transitions != b->stats.product_transitions)
    return "the product";
  if (!a->threads_off != !b->threads_off)
    return "why there is one thread";
  return full_difference(a, b);
}

static const char *compare_fair(kit *k, nut_fair fair, nut_por por,
                                uint64_t *told)
{
  static const uint32_t counts[] = {2, 3, 4, 8};
  search_options o = runs_options(fair, por, 1);
  search_result one = run_team(k, &o);
  const char *wrong = differs_from_twin(k, &one, fair, NUT_COMPONENTS);
  if (!wrong && fair != NUT_FAIR_STRONG)
    wrong = differs_from_twin(k, &one, fair, NUT_NESTED);
  for (unsigned i = 0; i < sizeof counts / sizeof *counts && !wrong; i++) {
    o = runs_options(fair, por, counts[i]);
    search_result r = run_team(k, &o);
    wrong = runs_difference(&one, &r);
    *told += r.runs.told;
    search_result_free(&r);
  }
  search_result_free(&one);
  return wrong;
}

static const char *compare_runs(kit *k, uint64_t states)
{
  static uint64_t told;
  uint64_t before = told;
  k->program = program_create(k->m, NULL, k->diags);
  if (!k->program)
    return "no program";
  const char *wrong = NULL;
  for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG; fair++)
    for (int reduced = 0; reduced < 2 && !wrong && is_small(k, states);
         reduced++)
      wrong = compare_fair(k, fair, reduced ? NUT_POR_ON : NUT_POR_OFF, &told);
  printf("# %llu told by levels\n", (unsigned long long)(told - before));
  return wrong;
}

typedef const char *comparison(kit *, uint64_t states);

static int compare_files(comparison *how, uint64_t states, int count,
                         char **paths)
{
  int failed = 0;
  for (int i = 0; i < count; i++) {
    kit k;
    size_t before = mem_live();
    const char *wrong = kit_load(&k, paths[i]) ? how(&k, states) : "refused";
    kit_destroy(&k);
    if (!wrong && mem_live() != before)
      wrong = "memory not given back";
    printf("%s %d - %s%s%s\n", wrong ? "not ok" : "ok", i + 1, paths[i],
           wrong ? ": " : "", wrong ? wrong : "");
    fflush(stdout);
    failed += wrong != NULL;
  }
  printf("%d passed, %d failed\n", count - failed, failed);
  return failed > 0;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {UNIT(counts),
                                     UNIT(errors),
                                     UNIT(failing_allocations),
                                     UNIT(dives),
                                     UNIT(dives_for_nothing),
                                     UNIT(failing_dives)};
  if (argc > 3 && strcmp(argv[1], "--models") == 0)
    return compare_files(compare, strtoull(argv[2], NULL, 10), argc - 3,
                         argv + 3);
  if (argc > 3 && strcmp(argv[1], "--runs") == 0)
    return compare_files(compare_runs, strtoull(argv[2], NULL, 10), argc - 3,
                         argv + 3);
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
