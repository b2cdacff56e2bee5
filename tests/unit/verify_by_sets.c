/* Symbolic runs through the library: figures, CTL, and memory that runs out
** anywhere. */

#include "nutshell.h"
#include "unit.h"

static const char toggles[] = "bool a, b;\n"
                              "active proctype p() { end: do :: a = !a od }\n"
                              "active proctype q() { end: do :: b = !b od }\n";

static nut_model *load_toggles(void)
{
  nut_load load = nut_load_defaults();
  nut_model *m =
      nut_load_text("toggles.pml", toggles, sizeof toggles - 1, &load);
  assert_true(nut_model_good(m));
  return m;
}

static void counts_exactly(void **state)
{
  (void)state;
  nut_model *m = load_toggles();
  nut_options o = nut_default_options();
  o.symbolic = true;
  for (int i = 0; i < 6; i++) {
    o.strategy = (nut_strategy)(i % 3);
    o.base = (nut_base)(i / 3);
    nut_result *r = nut_count(m, &o);
    nut_figures f = nut_result_figures(r);
    assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
    assert_int_equal(f.states, 4);
    assert_string_equal(f.exact_states, "4");
    assert_string_equal(f.exact_deadlocks, "0");
    assert_true(f.exact);
    nut_result_free(r);
  }
  nut_model_free(m);
}

/* Infinite runs, by sets: verdicts and runs that are shown. */
static void endless(void **state)
{
  (void)state;
  static const char *const formulas[] = {"[]<> a", "[] !(a && b)",
                                         "a V !b -> <> a", "X X X <> !a"};
  static const nut_verdict expected[] = {NUT_VIOLATED, NUT_VIOLATED, NUT_HOLDS,
                                         NUT_VIOLATED};
  nut_model *m = load_toggles();
  nut_options o = nut_default_options();
  o.ltl = formulas;
  o.ltl_count = 4;
  o.max_errors = 0;
  for (int i = 0; i < 2; i++) {
    o.symbolic = i;
    nut_result *r = nut_check(m, &o);
    for (size_t k = 0; k < 4; k++) {
      nut_property p = nut_result_property(r, 3 + k);
      assert_int_equal(p.verdict, expected[k]);
      assert_int_equal(p.trace != NULL, expected[k] == NUT_VIOLATED);
    }
    nut_result_free(r);
  }
  nut_model_free(m);
}

/* The same answers from single states and from sets. */
static void branching(void **state)
{
  (void)state;
  static const char *const formulas[] = {
      "AG EF (a && b)", "AF a", "EX (a || b)", "E[!b U a]", "A[!a W a]"};
  static const nut_verdict expected[] = {NUT_HOLDS, NUT_VIOLATED, NUT_HOLDS,
                                         NUT_HOLDS, NUT_HOLDS};
  static const char *const fair[] = {"a"};
  nut_model *m = load_toggles();
  nut_options o = nut_default_options();
  o.ctl = formulas;
  o.ctl_count = 5;
  for (int i = 0; i < 4; i++) {
    o.symbolic = i & 1;
    o.ctl_fair = fair;
    o.ctl_fair_count = i >> 1;
    nut_result *r = nut_check(m, &o);
    assert_int_equal(nut_result_property_count(r), 8);
    for (size_t k = 0; k < 5; k++) {
      nut_property p = nut_result_property(r, 3 + k);
      /* With fairness, a is true again and again. */
      nut_verdict want = k == 1 && i >> 1 ? NUT_HOLDS : expected[k];
      assert_int_equal(p.verdict, want);
    }
    nut_result_free(r);
  }
  nut_model_free(m);
}

/* A fair run that shows that a formula is violated goes round and round. */
static void shows_fair_runs(void **state)
{
  (void)state;
  static const char *const formulas[] = {"AF (a && b)"};
  static const char *const fair[] = {"a", "b"};
  nut_model *m = load_toggles();
  nut_options o = nut_default_options();
  o.symbolic = true;
  o.ctl = formulas;
  o.ctl_count = 1;
  o.ctl_fair = fair;
  o.ctl_fair_count = 2;
  nut_result *r = nut_check(m, &o);
  nut_property p = nut_result_property(r, 3);
  assert_int_equal(p.verdict, NUT_VIOLATED);
  assert_non_null(p.trace);
  assert_int_equal(nut_trace_loop(p.trace), 0);
  assert_int_equal(nut_trace_length(p.trace), 4);
  nut_result_free(r);
  nut_model_free(m);
}

static void refuses_bad_formulas(void **state)
{
  (void)state;
  static const char *const bad[] = {"AG", "E[a U b", "a &&", "A[a b]", "EF c",
                                    "(a", "\"a",     "",     "AG a b"};
  nut_model *m = load_toggles();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    nut_options o = nut_default_options();
    o.ctl = &bad[i];
    o.ctl_count = 1;
    nut_result *r = nut_check(m, &o);
    assert_int_equal(nut_result_verdict(r), NUT_ERROR);
    assert_true(strlen(nut_result_messages(r)) > 0);
    nut_result_free(r);
  }
  nut_model_free(m);
}

static void out_of_memory(void **state)
{
  (void)state;
  static const char *const formulas[] = {
      "AF a", "E[!b U a] && EX a && EG (EF b && (AF a || !a || EX b))"};
  static const char *const fair[] = {"a"};
  static const char *const linear[] = {"[]<> a"};
  static const char *const always[] = {"!(a && b)"};
  nut_model *m = load_toggles();
  nut_options o = nut_default_options();
  o.ctl = formulas;
  o.ctl_count = 2;
  o.ltl = linear;
  o.invariants = always;
  o.max_errors = 0;
  o.ctl_fair = fair;
  /* What failed formulas leave in the arena of the model grows with them. */
  for (uint64_t n = 4; n < 4000; n++) {
    o.symbolic = n & 1;
    o.base = (nut_base)(n / 4 & 1);
    o.ctl_fair_count = n >> 1 & 1;
    o.ltl_count = o.invariant_count = o.symbolic;
    mem_fail_at(n / 4);
    nut_result *r = nut_check(m, &o);
    mem_fail_at(0);
    nut_verdict v = nut_result_verdict(r);
    assert_true(v == NUT_UNKNOWN || v == NUT_VIOLATED ||
                (v == NUT_HOLDS && o.ctl_fair_count));
    nut_result_free(r);
  }
  nut_model_free(m);
}

UNIT_MAIN(UNIT(counts_exactly), UNIT(endless), UNIT(branching),
          UNIT(shows_fair_runs), UNIT(refuses_bad_formulas),
          UNIT(out_of_memory))
