/* Searches against a naive explorer, over a store that gives states back and
** over one that does not. */

#include "search_kit.h"

static store_class store_unfetched; /* 'raw+table' without 'fetch' */

static void raw_table_take(raw_table *t, const uint8_t *state, uint32_t length)
{
  (void)t, (void)state, (void)length;
}

#define STORE_TYPE raw_table
#define STORE_LOOP loop_unfetched
#define STORE_FETCHES 0
#define STORE_DENSE 0
extern const search_loop loop_unfetched;
#include "search/walk/loop.inc"

static const struct {
  const search_loop *loop;
  const char *store; /* NULL: store_unfetched */
} all_loops[] = {
    {&loop_raw_table, "raw+table"},   {&loop_collapse_tree, "collapse+tree"},
    {&loop_unfetched, NULL},          {&loop_code_table, "collapse+table"},
    {&loop_bits_table, "pack+table"}, {&loop_code_table, "chunk+table"},
    {&loop_pair, "chunk+tree"},       {&loop_pair, "pack+tree"},
    {&loop_bits_cells, "pack+table"},
};
enum { LOOPS = sizeof all_loops / sizeof all_loops[0] };

/* Runs a search; 'loop' from LOOPS on means the same loops with states expanded
** in groups, and stores that learn, from the beginning. */
static search_result run_search(kit *k, const search_options *asked,
                                unsigned loop)
{
  search_result result;
  search_options own = *asked, *options = &own;
  own.cohort_after = loop >= LOOPS ? 1 : 0;
  own.learn_at = loop >= LOOPS ? 10 : 0;
  loop %= LOOPS;
  store_unfetched = store_raw_table;
  store_unfetched.fetch = NULL;
  const char *name = all_loops[loop].store;
  const store_class *class = name ? store_find(name) : &store_unfetched;
  if (all_loops[loop].loop == &loop_bits_cells)
    class = class->moving;
  search_run_loop(k->program, options, class, all_loops[loop].loop, &result);
  return result;
}

/* A trace must survive verification, and following its edges, or the numbers
** of its edges, must give the same again. */
static void check_trace(kit *k, const trace *t)
{
  worker *w = worker_create(k->program);
  assert_non_null(t);
  assert_int_equal(trace_verify(w, k->program, t), TRACE_MADE);
  size_t count = t->steps.len - 1, followed;
  choice *choices = mem_alloc(count * sizeof *choices + 1);
  for (int numbers = 0; numbers < 2; numbers++) {
    for (size_t i = 0; i < count; i++) {
      const trace_step *s = t->steps.data + i + 1;
      choices[i].process = s->process;
      choices[i].id =
          numbers ? (uint32_t)k->m->edges.data[s->edge]->number : s->edge;
    }
    trace *again =
        trail_replay(w, k->program, numbers ? CHOICE_NUMBERS : CHOICE_EDGES,
                     choices, count, &followed);
    assert_int_equal(followed, count);
    assert_int_equal(again->steps.len, t->steps.len);
    assert_int_equal(again->bytes.len, t->bytes.len);
    assert_memory_equal(again->bytes.data, t->bytes.data, t->bytes.len);
    if (t->end == TRACE_FAULT || t->end == TRACE_INVALID_END)
      assert_int_equal(again->end, t->end);
    trace_destroy(again);
  }
  mem_free(choices, count * sizeof *choices + 1);
  worker_destroy(w);
}

static void counts_of(kit k)
{
  kit_finish(&k);
  truth t = explore(&k);
  for (unsigned loop = 0; loop < 2 * LOOPS; loop++)
    for (nut_search order = NUT_DFS; order <= NUT_BFS; order++) {
      search_options options = search_defaults();
      options.asked.search = order;
      options.count = true;
      search_result r = run_search(&k, &options, loop);
      assert_true(r.complete);
      assert_int_equal(r.reason, REASON_NONE);
      assert_int_equal(r.stats.states, t.states);
      assert_int_equal(r.stats.expanded, t.states);
      assert_int_equal(r.stats.transitions, t.transitions);
      assert_int_equal(r.stats.blocked, t.blocked);
      assert_int_equal(r.stats.deadlocks, t.deadlocks);
      assert_int_equal(r.stats.errors, t.faults + t.deadlocks);
      if (order == NUT_BFS)
        assert_int_equal(r.stats.depth, t.depth);
      assert_true(r.stats.depth >= t.depth);
      assert_int_equal(r.verdict,
                       r.stats.errors ? VERDICT_VIOLATED : VERDICT_HOLDS);
      for (size_t i = 0; i < k.m->edges.len; i++)
        assert_true(search_edge_reached(&r, (uint32_t)i));
      search_result_free(&r);
    }
  kit_destroy(&k);
}

static void counts(void **state)
{
  (void)state;
  counts_of(make_grid(1, 2, LOC_END, 0));
  counts_of(make_grid(3, 6, LOC_END, 0));
  counts_of(make_grid(4, 4, 0, 0));
  counts_of(make_grid(3, 5, 0, 3));
  counts_of(make_family(1, false));
  counts_of(make_family(4, false));
  counts_of(make_family(4, true));
}

/* Breadth first finds the shortest way, and every trace can be repeated. */
static void errors_and_traces(void **state)
{
  (void)state;
  kit k = make_grid(3, 9, 0, 4);
  kit_finish(&k);
  for (unsigned loop = 0; loop < 2 * LOOPS; loop++)
    for (nut_search order = NUT_DFS; order <= NUT_BFS; order++)
      for (uint64_t errors = 1; errors <= 1000; errors += 999) {
        search_options options = search_defaults();
        options.asked.search = order;
        options.asked.max_errors = errors;
        search_result r = run_search(&k, &options, loop);
        assert_int_equal(r.verdict, VERDICT_VIOLATED);
        assert_int_equal(r.answers.len, 3);
        const answer *asserts = r.answers.data;
        const answer *ends = r.answers.data + 1;
        assert_int_equal(r.complete, errors > 1);
        assert_int_equal(r.reason, errors > 1 ? REASON_NONE : REASON_ERRORS);
        assert_int_equal(r.stats.errors, errors > 1 ? 82 : 1);
        if (errors > 1 || order == NUT_BFS) {
          assert_int_equal(asserts->verdict, VERDICT_VIOLATED);
          assert_int_equal(asserts->trace->end, TRACE_FAULT);
          assert_int_equal(asserts->trace->fault, FAULT_ASSERT);
          check_trace(&k, asserts->trace);
        }
        if (order == NUT_BFS)
          assert_int_equal(asserts->trace->steps.len, 5);
        if (errors > 1) {
          assert_int_equal(ends->verdict, VERDICT_VIOLATED);
          assert_int_equal(ends->trace->end, TRACE_INVALID_END);
          assert_int_equal(ends->trace->steps.len, 25);
          check_trace(&k, ends->trace);
          assert_int_equal(r.answers.data[2].verdict, VERDICT_HOLDS);
        } else {
          assert_int_equal(r.answers.data[2].verdict, VERDICT_UNKNOWN);
          assert_int_equal(r.answers.data[2].reason, REASON_ERRORS);
        }
        search_result_free(&r);
      }
  kit_destroy(&k);
}

static void expressions(void **state)
{
  (void)state;
  kit k = make_grid(2, 5, LOC_END, 0);
  var *a = k.m->globals.data[0], *b = k.m->globals.data[1];
  expr *sum = binary(&k, OP_ADD, use(&k, a), use(&k, b));
  add_property(&k, PROPERTY_INVARIANT, "small",
               binary(&k, OP_LT, sum, number(&k, 6)));
  add_property(&k, PROPERTY_INVARIANT, "sane",
               binary(&k, OP_LT, sum, number(&k, 9)));
  add_property(&k, PROPERTY_REACH, "both",
               binary(&k, OP_EQ, sum, number(&k, 8)));
  add_property(&k, PROPERTY_REACH, "beyond",
               binary(&k, OP_EQ, sum, number(&k, 9)));
  add_property(&k, PROPERTY_LTL, "later", NULL);
  kit_finish(&k);
  for (unsigned loop = 0; loop < 2 * LOOPS; loop++)
    for (nut_search order = NUT_DFS; order <= NUT_BFS; order++) {
      search_options options = search_defaults();
      options.asked.search = order;
      options.asked.max_errors = 0;
      search_result r = run_search(&k, &options, loop);
      const answer *p = r.answers.data;
      assert_int_equal(r.answers.len, 8);
      assert_true(r.complete);
      assert_int_equal(r.verdict, VERDICT_VIOLATED);
      assert_int_equal(p[3].verdict, VERDICT_VIOLATED);
      assert_int_equal(p[3].errors, 6); /* 2+4, 3+3, 4+2, 3+4, 4+3, 4+4 */
      assert_int_equal(p[3].trace->end, TRACE_INVARIANT);
      check_trace(&k, p[3].trace);
      assert_int_equal(p[4].verdict, VERDICT_HOLDS);
      assert_int_equal(p[5].verdict, VERDICT_HOLDS);
      assert_int_equal(p[5].trace->end, TRACE_WITNESS);
      assert_int_equal(trace_rests(p[5].trace), 9);
      check_trace(&k, p[5].trace);
      assert_int_equal(p[6].verdict, VERDICT_VIOLATED);
      assert_null(p[6].trace);
      assert_int_equal(p[7].verdict, VERDICT_UNKNOWN);
      assert_int_equal(p[7].reason, REASON_NOT_CHECKED);
      search_result_free(&r);
    }
  kit_destroy(&k);
}

/* Answers one of the questions. */
static search_result run_only(kit *k, const search_options *o, const char *name)
{
  questions asked = *o->questions;
  questions_select_none(&asked);
  questions_find(&asked, name)->selected = true;
  return run_search(k, o, 0);
}

static void selection(void **state)
{
  (void)state;
  kit k = make_grid(2, 50, 0, 3);
  add_property(&k, PROPERTY_REACH, "first",
               binary(&k, OP_EQ, use(&k, k.m->globals.data[1]), number(&k, 2)));
  add_property(&k, PROPERTY_LTL, "later", NULL);
  kit_finish(&k);
  questions asked;
  questions_start(&asked, k.arena, k.m);
  search_options options = search_defaults();
  options.asked.search = NUT_BFS;
  options.questions = &asked;
  search_result r = run_only(&k, &options, "first");
  assert_int_equal(r.answers.len, 1);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_int_equal(r.reason, REASON_DECIDED);
  assert_false(r.complete);
  assert_true(r.stats.states < 20);
  search_result_free(&r);
  r = run_only(&k, &options, "bounds");
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_int_equal(r.stats.errors, 0);
  assert_int_equal(r.stats.states, 2500);
  search_result_free(&r);
  r = run_only(&k, &options, "later");
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_int_equal(r.reason, REASON_NOT_CHECKED);
  search_result_free(&r);
  questions_free(&asked);
  questions_start(&asked, k.arena, k.m);
  questions_find(&asked, "end-states")->selected = false;
  options = search_defaults();
  options.questions = &asked;
  r = run_search(&k, &options, 0);
  assert_string_equal(r.answers.data[1].question->name, "bounds");
  search_result_free(&r);
  questions_free(&asked);
  assert_string_equal(question_name(k.m, 1), "end-states");
  assert_string_equal(question_name(k.m, 3), "first");
  assert_null(question_name(k.m, 5));
  kit_destroy(&k);
}

/* Every loop under these limits. */
static void check_limited(kit *k, uint64_t depth, limits_asked asked,
                          reason why)
{
  for (unsigned loop = 0; loop < 2 * LOOPS; loop++)
    for (nut_search order = NUT_DFS; order <= NUT_BFS; order++) {
      limits l;
      limits_start(&l, &asked);
      search_options both = search_defaults();
      both.asked.depth = depth;
      both.limits = &l;
      both.asked.search = order;
      mem_budget *outer = limits_enter(&l);
      search_result r = run_search(k, &both, loop);
      limits_leave(outer);
      assert_false(r.complete);
      assert_int_equal(r.verdict, VERDICT_UNKNOWN);
      assert_int_equal(r.reason, why);
      for (size_t i = 0; i < r.answers.len; i++)
        assert_int_equal(r.answers.data[i].reason, why);
      search_result_free(&r);
    }
}

static unsigned reports;

static void count_reports(void *context, const nut_progress *p)
{
  assert_ptr_equal(context, &reports);
  assert_true(p->states > 0 && p->memory_bytes > 0 && p->store_bytes > 0);
  reports++;
}

static void limits_end_runs(void **state)
{
  (void)state;
  kit k = make_grid(5, 12, LOC_END, 0);
  kit_finish(&k);
  volatile sig_atomic_t interrupt = 1;
  check_limited(&k, 7, (limits_asked){0}, REASON_DEPTH_LIMIT);
  check_limited(&k, 0, (limits_asked){.seconds = 1e-9}, REASON_TIME_LIMIT);
  check_limited(&k, 0, (limits_asked){.memory_bytes = 1}, REASON_MEMORY_LIMIT);
  check_limited(&k, 0,
                (limits_asked){.memory_bytes = LIMITS_PROGRAM_BYTES + 700000},
                REASON_MEMORY_LIMIT);
  check_limited(&k, 0, (limits_asked){.interrupt = &interrupt},
                REASON_INTERRUPTED);
  search_options options = search_defaults();
  options.asked.on_progress = count_reports;
  options.asked.context = &reports;
  options.progress_seconds = 1e-6;
  search_result r = run_search(&k, &options, 0);
  assert_int_equal(r.stats.states, 248832);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_true(reports > 100);
  /* Five processes and five bytes: at most the state and 8 bytes. */
  assert_true(r.stats.store_bytes <=
              r.stats.states * (r.stats.state_bytes + 8));
  search_result_free(&r);
  kit_destroy(&k);
}

/* Breadth first, a depth limit leaves out nothing that is nearer. */
static void depth_limit(void **state)
{
  (void)state;
  kit k = make_grid(2, 10, LOC_END, 5);
  kit_finish(&k);
  for (uint64_t depth = 1; depth < 8; depth++)
    for (unsigned loop = 0; loop < 2 * LOOPS; loop++) {
      search_options options = search_defaults();
      options.asked.search = NUT_BFS;
      options.asked.depth = depth;
      search_result r = run_search(&k, &options, loop);
      assert_int_equal(r.verdict,
                       depth < 5 ? VERDICT_UNKNOWN : VERDICT_VIOLATED);
      if (depth < 5)
        assert_int_equal(r.stats.states, (depth + 1) * (depth + 2) / 2);
      search_result_free(&r);
    }
  kit_destroy(&k);
}

/* With the n-th allocation failing a run still answers, and never 'holds'
** unless it has seen everything. */
static void failing_allocations(void **state)
{
  (void)state;
  for (unsigned bad = 0; bad < 2; bad++) {
    kit k = make_grid(3, 6, bad ? 0 : LOC_END, bad ? 3 : 0);
    kit_finish(&k);
    for (unsigned loop = 0; loop < 2 * LOOPS; loop++)
      for (nut_search order = NUT_DFS; order <= NUT_BFS; order++) {
        bool complete = false;
        for (uint64_t n = 1; !complete; n++) {
          search_options options = search_defaults();
          options.asked.search = order;
          options.asked.max_errors = 0;
          mem_fail_at(n);
          search_result r = run_search(&k, &options, loop);
          mem_fail_at(0);
          complete = r.complete;
          assert_true(complete || r.verdict != VERDICT_HOLDS);
          assert_true(!complete || (r.verdict == VERDICT_VIOLATED) == bad);
          if (complete)
            assert_int_equal(r.stats.states, 216);
          else
            assert_int_equal(r.reason, REASON_OUT_OF_MEMORY);
          search_result_free(&r);
          assert_true(n < 10000);
        }
      }
    kit_destroy(&k);
  }
}

UNIT_MAIN(UNIT(counts), UNIT(errors_and_traces), UNIT(expressions),
          UNIT(selection), UNIT(limits_end_runs), UNIT(depth_limit),
          UNIT(failing_allocations))
