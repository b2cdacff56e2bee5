/* Workspaces, used as a program outside would use them: only nutshell.h. */

#include "unit.h"

#include "base/text/text.h"
#include "nutshell.h"
#include <pthread.h>
#include <stdio.h>

static nut_workspace *open_as(const char *name, const char *content)
{
  nut_workspace *w = nut_open_text(name, content, strlen(content), NULL);
  assert_non_null(w);
  return w;
}

static nut_workspace *open_good(const char *content)
{
  nut_workspace *w = open_as("m.pml", content);
  assert_string_equal(nut_model_messages(nut_workspace_model(w)), "");
  return w;
}

static void gather(void *context, const char *bytes, size_t length)
{
  text_add_bytes(context, bytes, length);
}

/* ---- diagnostics and questions ------------------------------------------ */

static void diagnostics_are_data(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w = open_as("m.pml", "bool turn;\n"
                                      "active proctype p() {\n"
                                      "  trun = 1\n"
                                      "}\n");
  assert_false(nut_model_good(nut_workspace_model(w)));
  const nut_diagnostic *d = nut_diagnostics(w, &n);
  assert_int_equal(n, 2);
  assert_int_equal(d[0].severity, NUT_SEVERITY_ERROR);
  assert_string_equal(d[0].at.file, "m.pml");
  assert_int_equal(d[0].at.line, 3);
  assert_int_equal(d[0].at.column, 3);
  assert_int_equal(d[0].at.end_line, 3);
  assert_int_equal(d[0].at.end_column, 7);
  assert_non_null(strstr(d[0].message, "'trun'"));
  assert_int_equal(d[1].severity, NUT_SEVERITY_NOTE);
  /* What cannot be used answers nothing, and says so. */
  assert_int_equal(nut_initial(w), 0);
  assert_int_equal(nut_outcome(w), NUT_ERROR);
  assert_string_not_equal(nut_problem(w), "");
  nut_questions(w, &n);
  assert_int_equal(n, 0);
  assert_null(nut_walk_start(w));
  nut_close(w);
}

static void questions_are_data(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w =
      open_good("bool on;\n"
                "active proctype p() { end: do :: on = !on od }\n"
                "ltl shines { []<> on }\n");
  const nut_question *q = nut_questions(w, &n);
  assert_int_equal(n, 4);
  assert_string_equal(q[0].name, "assertions");
  assert_null(q[0].at.file);
  assert_false(q[0].infinite);
  assert_string_equal(q[3].name, "shines");
  assert_string_equal(q[3].kind, "ltl");
  assert_true(q[3].infinite);
  assert_int_equal(q[3].at.line, 3);
  assert_non_null(strstr(q[3].formula, "on"));
  nut_close(w);
}

/* ---- states ------------------------------------------------------------- */

static const char buffer[] =
    "mtype = { data, ack };\n"
    "chan q = [1] of { mtype, byte }; byte x, y; bool b;\n"
    "active proctype sender() {\n"
    "  do :: q!data(x) -> x = (x + 1) % 3 :: x == 2 -> break od\n"
    "}\n"
    "active proctype receiver() { byte z;\n"
    "end: do :: q?data(z) -> y = z :: q?ack(_) :: y > 100 -> b = true od\n"
    "}\n";

static const nut_value *value_named(nut_workspace *w, nut_state s,
                                    const char *name)
{
  size_t n;
  const nut_value *v = nut_values(w, s, &n);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(v[i].name, name))
      return &v[i];
  fail_msg("there is no %s", name);
  return NULL;
}

/* The state after the first step of 'process' whose text begins so. */
static nut_state after(nut_workspace *w, nut_state s, uint32_t process,
                       const char *begin)
{
  size_t n;
  const nut_move *m = nut_moves(w, s, &n);
  for (size_t i = 0; i < n; i++)
    if (m[i].process == process && !strncmp(m[i].text, begin, strlen(begin)))
      return m[i].target;
  fail_msg("no step '%s'", begin);
  return 0;
}

static const nut_blocked *reason_for(nut_workspace *w, nut_state s,
                                     const char *begin)
{
  size_t n;
  const nut_blocked *b = nut_not_enabled(w, s, &n);
  for (size_t i = 0; i < n; i++)
    if (!strncmp(b[i].text, begin, strlen(begin)))
      return &b[i];
  fail_msg("'%s' is enabled", begin);
  return NULL;
}

static void states_have_values(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w = open_good(buffer);
  nut_state first = nut_initial(w);
  assert_int_equal(first, 1);
  assert_int_equal(nut_initial(w), 1);
  assert_string_equal(value_named(w, first, "x")->text, "0");
  assert_string_equal(value_named(w, first, "x")->type, "byte");
  assert_int_equal(value_named(w, first, "receiver(1):z")->process, 1);
  const nut_process *p = nut_processes(w, first, &n);
  assert_int_equal(n, 2);
  assert_string_equal(p[0].type, "sender");
  assert_false(p[0].end);
  assert_true(p[1].end);
  assert_string_equal(p[1].at.file, "m.pml");
  assert_true(p[1].at.line >= 6);

  nut_state sent = after(w, first, 0, "q!");
  assert_int_not_equal(sent, first);
  assert_string_equal(value_named(w, sent, "q")->type, "chan");
  const nut_value *q = nut_values(w, sent, &n) + n - 1;
  assert_string_equal(q->name, "q");
  assert_string_equal(q->type, "channel");
  assert_string_equal(q->text, "[data(0)]");
  assert_int_equal(q->number, 1);
  int32_t value = -1;
  assert_true(nut_evaluate(w, sent, "len(q) == 1 && x == 0", &value));
  assert_int_equal(value, 1);
  assert_false(nut_evaluate(w, sent, "1 +", &value));
  assert_int_equal(nut_outcome(w), NUT_ERROR);
  assert_false(nut_evaluate(w, sent, "x / y", &value));
  assert_string_equal(nut_problem(w), "division by zero");
  /* That does not spoil the model. */
  assert_true(nut_model_good(nut_workspace_model(w)));
  assert_true(nut_evaluate(w, sent, "x + 7", &value));
  assert_int_equal(value, 7);
  assert_null(nut_values(w, 1000, &n));
  assert_string_equal(nut_problem(w), "there is no state 1000");

  text out = {0};
  assert_true(nut_state_text(w, sent, (nut_style){0}, gather, &out));
  assert_non_null(strstr(text_string(&out), "[data(0)]"));
  text_free(&out);
  nut_close(w);
}

static void reasons_have_words(void **state)
{
  (void)state;
  nut_workspace *w = open_good(buffer);
  nut_state first = nut_initial(w);
  const nut_blocked *b = reason_for(w, first, "x == 2");
  assert_int_equal(b->why, NUT_BLOCKED_GUARD);
  assert_string_equal(b->word, "guard");
  assert_string_equal(b->values, "x = 0");
  assert_string_equal(b->because, "x is 0");
  assert_string_equal(b->process_type, "sender");
  assert_int_equal(b->at.line, 4);
  b = reason_for(w, first, "q?data");
  assert_int_equal(b->why, NUT_BLOCKED_EMPTY);
  assert_string_equal(b->cause, "q");
  nut_state sent = after(w, first, 0, "q!");
  nut_state counted = after(w, sent, 0, "x = ");
  b = reason_for(w, counted, "q!");
  assert_int_equal(b->why, NUT_BLOCKED_FULL);
  assert_string_equal(b->values, "[data(0)]");
  assert_non_null(strstr(b->because, "q is full: [data(0)]"));
  b = reason_for(w, counted, "q?ack");
  assert_int_equal(b->why, NUT_BLOCKED_MESSAGE);
  nut_close(w);
}

/* One statement that cannot be executed, and why; once 'first' was. */
static void expect_after(const char *model, const char *first,
                         const char *begin, nut_why why, const char *cause)
{
  nut_workspace *w = open_good(model);
  nut_state s = nut_initial(w);
  if (first)
    s = after(w, s, 0, first);
  const nut_blocked *b = reason_for(w, s, begin);
  assert_int_equal(b->why, why);
  assert_string_equal(b->cause, cause);
  nut_close(w);
}

static void expect_reason(const char *model, const char *begin, nut_why why,
                          const char *cause)
{
  expect_after(model, NULL, begin, why, cause);
}

static void all_kinds_of_reasons(void **state)
{
  (void)state;
  expect_reason("chan c = [0] of { byte };\n"
                "active proctype p() { c!1 }",
                "c!1", NUT_BLOCKED_PARTNER, "c");
  expect_reason("chan c = [0] of { byte };\n"
                "active proctype p() { c?1 }",
                "c?1", NUT_BLOCKED_PARTNER, "c");
  expect_reason("byte x; active proctype p() {\n"
                "  if :: x == 0 -> skip :: else -> x = 7 fi }",
                "else", NUT_BLOCKED_ELSE, "");
  expect_reason("byte x; active proctype p() { x = 3 unless { x == 0 } }",
                "x = 3", NUT_BLOCKED_UNLESS, "");
  expect_reason("byte x; active proctype p() provided (x > 0) { x = 3 }",
                "x = 3", NUT_BLOCKED_PROVIDED, "x > 0");
  expect_reason("byte x; active proctype p() { x = 3 }\n"
                "active proctype q() { timeout -> x = 4 }",
                "timeout", NUT_BLOCKED_TIMEOUT, "timeout");
  expect_after("byte x; active proctype p() { x = 2 }\n"
               "active proctype q() { x == 1 }",
               "x = 2", "-end-", NUT_BLOCKED_YOUNGER, "");
  expect_reason("byte x; active proctype p() { d_step { x == 1; x = 2 } }", "",
                NUT_BLOCKED_GUARD, "x == 1");
}

static void moves_can_fail(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w =
      open_good("byte x; active proctype p() { assert(x == 1); x = 5 / x }");
  nut_state first = nut_initial(w);
  const nut_move *m = nut_moves(w, first, &n);
  assert_int_equal(n, 1);
  assert_string_equal(m[0].fault, "assertion violated");
  assert_int_not_equal(m[0].target, 0);
  m = nut_moves(w, m[0].target, &n);
  assert_int_equal(n, 1);
  assert_string_equal(m[0].fault, "division by zero");
  assert_int_equal(m[0].target, 0);
  nut_close(w);
}

/* ---- runs --------------------------------------------------------------- */

static void runs_go_on_and_back(void **state)
{
  (void)state;
  nut_workspace *w = open_good(buffer);
  nut_walk *r = nut_walk_start(w);
  assert_non_null(r);
  nut_state first = nut_walk_state(r, 0);
  assert_int_equal(first, nut_initial(w));
  assert_int_equal(nut_walk_choices(r), 1);
  assert_string_equal(nut_walk_choice(r, 0).process_type, "sender");
  assert_int_equal(nut_walk_verdict(r), NUT_UNKNOWN);
  assert_false(nut_walk_undo(r));
  assert_true(nut_walk_take(r, 0));
  assert_int_equal(nut_walk_length(r), 1);
  assert_int_equal(nut_trace_length(nut_walk_trace(r)), 1);
  nut_state second = nut_walk_state(r, 1);
  assert_int_equal(second, after(w, first, 0, "q!"));
  assert_true(nut_walk_undo(r));
  assert_int_equal(nut_walk_length(r), 0);
  assert_true(nut_walk_take(r, 0));
  nut_walk_forget(r);
  assert_int_equal(nut_walk_length(r), 0);
  assert_int_equal(nut_walk_steps(r), 1);
  assert_int_equal(nut_walk_state(r, 0), second);
  text out = {0};
  assert_true(nut_trace_text(nut_walk_trace(r), NUT_JSON, 0, (nut_style){0},
                             gather, &out));
  text_free(&out);
  nut_walk_free(r);
  nut_close(w);
}

static void traces_are_replayed(void **state)
{
  (void)state;
  nut_workspace *w = open_good("byte x; active [2] proctype p() {\n"
                               "  byte t; t = x; x = t + 1; assert(x != 1) }");
  nut_result *result = nut_check(nut_workspace_model(w), NULL);
  const nut_trace *t = nut_result_trace(result, 0, 0);
  assert_non_null(t);
  assert_string_equal(nut_trace_name(t), "assertions");
  assert_null(nut_result_trace(result, 0, 1));
  nut_walk *r = nut_walk_follow(w, t);
  assert_non_null(r);
  assert_int_equal(nut_outcome(w), NUT_HOLDS);
  assert_int_equal(nut_walk_verdict(r), NUT_VIOLATED);
  assert_int_equal(nut_walk_length(r), nut_trace_length(t));
  assert_string_equal(nut_walk_ending(r), "assertion violated");
  assert_int_equal(nut_walk_state(r, 0), nut_initial(w));
  nut_walk_free(r);

  char *json = nut_trace_write(t, NUT_JSON);
  r = nut_walk_replay(w, "t.json", json, strlen(json));
  assert_non_null(r);
  assert_int_equal(nut_outcome(w), NUT_HOLDS);
  assert_int_equal(nut_walk_length(r), nut_trace_length(t));
  nut_walk_free(r);
  nut_text_free(json);
  static const char wrong[] = "1:0:0\n2:1:77\n3:0:1\n3:0:0\n";
  r = nut_walk_replay(w, "t.trail", wrong, strlen(wrong));
  assert_non_null(r);
  assert_int_equal(nut_outcome(w), NUT_VIOLATED);
  assert_string_equal(nut_problem(w), "t.trail: line 4 does not match the "
                                      "model");
  assert_int_equal(nut_walk_verdict(r), NUT_VIOLATED);
  assert_string_equal(nut_walk_ending(r), "stopped");
  nut_walk_free(r);
  assert_null(nut_walk_replay(w, "no", "what?", 5));
  assert_int_equal(nut_outcome(w), NUT_ERROR);
  assert_string_equal(nut_problem(w),
                      "no: line 1: neither a trail nor a JSON trace");
  nut_result_free(result);
  nut_close(w);
}

/* From a state of a lasso one can go on. */
static void lassos_are_followed(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w = open_good("bool on; active proctype p() {\n"
                               "end: do :: on = true; on = false od }\n"
                               "ltl shines { <> [] on }\n");
  nut_result *result = nut_check(nut_workspace_model(w), NULL);
  const nut_trace *t = nut_result_property(result, 3).trace;
  assert_non_null(t);
  assert_true(nut_trace_loop(t) >= 0);
  nut_walk *r = nut_walk_follow(w, t);
  assert_int_equal(nut_outcome(w), NUT_HOLDS);
  const nut_trace *again = nut_walk_trace(r);
  assert_int_equal(nut_trace_loop(again), nut_trace_loop(t));
  assert_int_equal(nut_trace_length(again), nut_trace_length(t));
  assert_string_equal(nut_walk_ending(r), nut_trace_ending(t));
  size_t loop = (size_t)nut_trace_loop(t);
  nut_state begin = nut_walk_state(r, loop);
  assert_int_equal(begin, nut_walk_state(r, nut_walk_length(r)));
  assert_non_null(nut_moves(w, begin, &n));
  nut_walk_free(r);
  nut_result_free(result);
  nut_close(w);
}

/* ---- texts -------------------------------------------------------------- */

static void models_are_drawn_and_converted(void **state)
{
  (void)state;
  text out = {0};
  nut_workspace *w = open_good(buffer);
  for (int d = NUT_DRAW_PROCESSES; d <= NUT_DRAW_STORE; d++) {
    text_clear(&out);
    if (!nut_draw(w, (nut_drawing)d, NULL, gather, &out))
      fail_msg("%s", nut_problem(w));
    assert_non_null(strstr(text_string(&out), "digraph"));
  }
  static const nut_format formats[] = {NUT_PROMELA, NUT_DVE, NUT_PNML, NUT_DOT,
                                       NUT_TEXT};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    text_clear(&out);
    assert_true(nut_convert(w, formats[i], gather, &out));
    assert_true(out.len > 100);
  }
  nut_options o = nut_default_options();
  o.store = "raw+table";
  assert_false(nut_draw(w, NUT_DRAW_STORE, &o, gather, &out));
  assert_string_equal(nut_problem(w),
                      "'raw+table' keeps no diagram that could be drawn");
  assert_string_not_equal(nut_hint(w), "");
  nut_close(w);
  char *messages = NULL;
  text_clear(&out);
  assert_int_equal(
      nut_automaton("[]<> p", false, false, NUT_NEVER, gather, &out, &messages),
      NUT_HOLDS);
  assert_non_null(strstr(text_string(&out), "never"));
  nut_text_free(messages);
  assert_int_equal(
      nut_automaton("[] (", false, false, NUT_HOA, gather, &out, &messages),
      NUT_ERROR);
  assert_non_null(strstr(messages, "formula:1:5"));
  nut_text_free(messages);
  text_free(&out);
  const char *why;
  assert_true(nut_store_exists("collapse+tree", &why));
  assert_false(nut_store_exists("paper+pencil", &why));
  assert_non_null(nut_store_at(0).codec);
  assert_null(nut_store_at(1000).codec);
}

/* ---- limits ------------------------------------------------------------- */

static const char endless[] =
    "int n; active proctype p() { do :: n != -1 -> n++ od }";

static void *cancel_it(void *workspace)
{
  nut_cancel(workspace);
  return NULL;
}

static void others_can_cancel(void **state)
{
  (void)state;
  pthread_t thread;
  nut_workspace *w = open_good(endless);
  nut_options o = nut_default_options();
  o.seconds = 1000; /* the interrupt of loading still counts */
  assert_int_equal(pthread_create(&thread, NULL, cancel_it, w), 0);
  nut_result *r = nut_check(nut_workspace_model(w), &o);
  pthread_join(thread, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_UNKNOWN);
  assert_string_equal(nut_result_reason(r), "interrupted");
  nut_result_free(r);
  assert_true(nut_is_due(w));
  nut_resume(w);
  assert_false(nut_is_due(w));
  assert_int_equal(nut_initial(w), 1);
  nut_close(w);
}

static void atomic_sequences_are_left(void **state)
{
  (void)state;
  size_t n;
  nut_workspace *w = open_good(
      "int n; active proctype p() { atomic { do :: n != -1 -> n++ od } }");
  nut_state first = nut_initial(w);
  nut_cancel(w);
  assert_null(nut_moves(w, first, &n));
  assert_string_equal(nut_problem(w), "interrupted");
  assert_int_equal(nut_outcome(w), NUT_UNKNOWN);
  nut_close(w);
}

/* A wrong question is no harm to the next. */
static void wrong_formulas_do_no_harm(void **state)
{
  (void)state;
  static const char *const wrong[] = {"[] off"}, *const right[] = {"[] n >= 0"};
  nut_workspace *w = open_good("byte n; active proctype p() { n = 1 }");
  nut_model *m = nut_workspace_model(w);
  nut_options o = nut_default_options();
  o.ltl = wrong;
  o.ltl_count = 1;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  nut_result_free(r);
  assert_true(nut_model_good(m));
  o.ltl = right;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  nut_result_free(r);
  nut_close(w);
}

/* ---- failing allocations ------------------------------------------------ */

static void swallow(void *context, const char *bytes, size_t length)
{
  (void)bytes;
  *(size_t *)context += length;
}

/* All but conversions: see docs/warts.md. */
static void use_all(nut_workspace *w)
{
  size_t n, bytes = 0;
  int32_t value;
  nut_diagnostics(w, &n);
  nut_questions(w, &n);
  nut_state s = nut_initial(w);
  for (int i = 0; i < 3 && s; i++) {
    nut_values(w, s, &n);
    nut_processes(w, s, &n);
    nut_not_enabled(w, s, &n);
    nut_evaluate(w, s, "x == y", &value);
    nut_state_text(w, s, (nut_style){0}, swallow, &bytes);
    const nut_move *m = nut_moves(w, s, &n);
    s = n ? m[n - 1].target : 0;
  }
  nut_walk *r = nut_walk_start(w);
  for (int i = 0; r && i < 3 && nut_walk_choices(r); i++) {
    nut_walk_choice(r, 0);
    nut_walk_take(r, 0);
    if (i == 1)
      nut_walk_undo(r);
    const nut_trace *t = nut_walk_trace(r);
    if (t)
      nut_trace_text(t, NUT_JSON, 0, (nut_style){0}, swallow, &bytes);
  }
  nut_walk_free(r);
  r = nut_walk_start(w);
  if (r)
    nut_walk_reach(r, "x == 2");
  nut_walk_free(r);
  const char *name = s ? nut_state_name(w, s) : NULL;
  char beginning[33] = "0123456789";
  for (int i = 0; name && i < 12; i++)
    beginning[i] = name[i];
  r = nut_walk_find(w, beginning);
  nut_walk_free(r);
  r = nut_walk_replay(w, "t", "1:0:0\n", 6);
  nut_walk_free(r);
  for (int d = NUT_DRAW_PROCESSES; d <= NUT_DRAW_STORE; d++)
    nut_draw(w, (nut_drawing)d, NULL, swallow, &bytes);
}

static void memory_may_run_out(void **state)
{
  (void)state;
  for (uint64_t n = 1;; n++) {
    mem_fail_at(n);
    nut_workspace *w = nut_open_text("m.pml", buffer, strlen(buffer), NULL);
    if (w)
      use_all(w);
    bool failed = mem_told_to_fail();
    mem_fail_at(0);
    nut_close(w);
    assert_int_equal(mem_live(), 0);
    if (!failed)
      break;
    n += n / 40; /* all at first, then some */
  }
}

UNIT_MAIN(UNIT(diagnostics_are_data), UNIT(questions_are_data),
          UNIT(states_have_values), UNIT(reasons_have_words),
          UNIT(all_kinds_of_reasons), UNIT(moves_can_fail),
          UNIT(runs_go_on_and_back), UNIT(traces_are_replayed),
          UNIT(lassos_are_followed), UNIT(models_are_drawn_and_converted),
          UNIT(others_can_cancel), UNIT(atomic_sequences_are_left),
          UNIT(wrong_formulas_do_no_harm), UNIT(memory_may_run_out))
