/* Searches level by level with several threads, which share every level from
** the first on, against a naive explorer and against each other. */

#include "search_kit.h"

static const uint32_t teams[] = {1, 2, 3, 8};
enum { TEAMS = sizeof teams / sizeof *teams, TIMES = 5 };

static search_options options_for(uint32_t threads, unsigned time)
{
  search_options o = search_defaults();
  o.asked.search = NUT_BFS;
  o.threads = threads;
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

/* Whatever allocation fails, in whichever thread: never 'holds', and nothing is
** lost. */
static void failing_allocations(void **state)
{
  (void)state;
  kit k = make_grid(3, 7, LOC_END, 0);
  kit_finish(&k);
  /* What the program keeps for itself from the first run on is no leak. */
  search_options before = options_for(3, 1);
  search_result first = run_team(&k, &before);
  search_result_free(&first);
  for (uint32_t threads = 1; threads <= 3; threads++) {
    bool complete = false;
    for (uint64_t n = 1; !complete; n += n < 300 ? 1 : n / 20) {
      size_t live = mem_live(), reserves = reserve_live();
      search_options o = options_for(threads, 1);
      mem_fail_at(n);
      search_result r = run_team(&k, &o);
      mem_fail_at(0);
      complete = r.complete;
      assert_int_equal(r.verdict, complete ? VERDICT_HOLDS : VERDICT_UNKNOWN);
      if (complete)
        assert_int_equal(r.stats.states, 7 * 7 * 7);
      search_result_free(&r);
      assert_int_equal(mem_live(), live);
      assert_int_equal(reserve_live(), reserves);
    }
  }
  kit_destroy(&k);
}

UNIT_MAIN(UNIT(counts), UNIT(errors), UNIT(failing_allocations))
