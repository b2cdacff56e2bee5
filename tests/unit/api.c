/* The public interface, used as a program outside would use it: only
** nutshell.h, and models given as text. */

#include "unit.h"

#include "nutshell.h"
#include <stdio.h>
#include <stdlib.h>

static const char mutex[] = "bool busy; byte inside;\n"
                            "active [2] proctype user() {\n"
                            "  do :: !busy -> busy = 1; inside++;\n"
                            "        assert(inside == 1);\n"
                            "        inside--; busy = 0\n"
                            "  od\n"
                            "}\n";

static nut_model *load(const char *content)
{
  nut_load options = nut_load_defaults();
  nut_model *m = nut_load_text("m.pml", content, strlen(content), &options);
  assert_non_null(m);
  return m;
}

static nut_model *load_good(const char *content)
{
  nut_model *m = load(content);
  assert_string_equal(nut_model_messages(m), "");
  assert_true(nut_model_good(m));
  return m;
}

static void finds_a_counterexample(void **state)
{
  (void)state;
  nut_model *m = load_good(mutex);
  nut_options o = nut_default_options();
  o.shortest = true;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
  nut_property p = nut_result_property(r, 0);
  assert_string_equal(p.name, "assertions");
  assert_int_equal(p.verdict, NUT_VIOLATED);
  assert_non_null(p.trace);
  size_t n = nut_trace_length(p.trace);
  assert_int_equal(n, 7);
  nut_step last = nut_trace_step(p.trace, n - 1);
  assert_string_equal(last.file, "m.pml");
  assert_int_equal(last.line, 4);
  assert_string_equal(last.process_type, "user");
  assert_string_equal(nut_trace_ending(p.trace), "assertion violated");
  assert_int_equal(nut_trace_loop(p.trace), -1);
  nut_step third = nut_trace_step(p.trace, 2);
  assert_int_equal(third.change_count, 1);
  nut_change c = nut_trace_change(p.trace, 2, 0);
  assert_string_equal(c.name, "busy");
  assert_string_not_equal(c.before, c.after);
  nut_result_free(r);
  nut_model_free(m);
}

static void holds_only_when_complete(void **state)
{
  (void)state;
  nut_model *m = load_good("byte n; active proctype p() {\n"
                           "  do :: n < 200 -> n++ :: n == 200 -> break od }");
  nut_result *r = nut_check(m, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  assert_true(nut_result_complete(r));
  nut_figures f = nut_result_figures(r);
  assert_true(f.states > 200 && f.exact);
  nut_result_free(r);
  nut_options o = nut_default_options();
  o.depth = 10;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_UNKNOWN);
  assert_false(nut_result_complete(r));
  assert_string_equal(nut_result_reason(r), "depth limit reached");
  nut_result_free(r);
  nut_model_free(m);
}

/* Properties of infinite runs, and how to leave them out. */
static void infinite_runs(void **state)
{
  (void)state;
  nut_model *m = load_good("bool on; active proctype p() {\n"
                           "end: do :: on = !on od }\n"
                           "ltl shines { []<> on }\n");
  nut_result *r = nut_check(m, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  assert_int_equal(nut_result_property_count(r), 4);
  nut_result_free(r);
  nut_options o = nut_default_options();
  o.liveness = false;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  assert_int_equal(nut_result_property_count(r), 3);
  nut_result_free(r);
  static const char *const formulas[] = {"<> [] on", "X on"};
  o = nut_default_options();
  o.ltl = formulas;
  o.ltl_count = 2;
  o.max_errors = 0;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
  assert_int_equal(nut_result_property(r, 5).verdict, NUT_HOLDS);
  nut_property wrong = nut_result_property(r, 4);
  assert_string_equal(wrong.name, "ltl");
  assert_int_equal(wrong.verdict, NUT_VIOLATED);
  assert_true(nut_trace_loop(wrong.trace) >= 0);
  nut_result_free(r);
  o.ltl_count = 1;
  o.algorithm = NUT_COMPONENTS;
  o.fair = NUT_FAIR_STRONG;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
  nut_result_free(r);
  static const char *const unknown_name[] = {"[] off"};
  o.ltl = unknown_name;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  nut_result_free(r);
  nut_model_free(m);
}

/* A wrong question is no harm to the next. */
static void wrong_formulas_do_no_harm(void **state)
{
  (void)state;
  static const char *const wrong[] = {"[] outside"};
  static const char *const right[] = {"[] (inside <= 2)"};
  nut_model *m = load_good(mutex);
  nut_options o = nut_default_options();
  o.ltl = wrong;
  o.ltl_count = 1;
  for (int i = 0; i < 2; i++) {
    nut_result *r = nut_check(m, &o);
    assert_int_equal(nut_result_verdict(r), NUT_ERROR);
    const char *first = strstr(nut_result_messages(r), "outside");
    assert_non_null(first);
    assert_null(strstr(first, "ltl:1"));
    nut_result_free(r);
    assert_true(nut_model_good(m));
    assert_string_equal(nut_model_messages(m), "");
  }
  o.ltl = right;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
  assert_int_equal(nut_result_property(r, 3).verdict, NUT_HOLDS);
  nut_result_free(r);
  nut_model_free(m);
}

/* Limits of a check do not replace the interrupt of loading. */
static void interrupts_of_loading_count(void **state)
{
  (void)state;
  static const char endless[] = "int n; active proctype p() { do :: n++ od }";
  volatile sig_atomic_t stop = 0;
  nut_load options = nut_load_defaults();
  options.interrupt = &stop;
  nut_model *m = nut_load_text("m.pml", endless, strlen(endless), &options);
  nut_options o = nut_default_options();
  o.seconds = 1000;
  stop = 1;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_UNKNOWN);
  assert_string_equal(nut_result_reason(r), "interrupted");
  nut_result_free(r);
  nut_model_free(m);
}

static void expressions(void **state)
{
  (void)state;
  static const char *const small[] = {"inside <= 1"};
  static const char *const two[] = {"inside == 2"};
  static const char *const wrong[] = {"outside == 2"};
  nut_model *m = load_good(mutex);
  nut_options o = nut_default_options();
  o.invariants = small;
  o.invariant_count = 1;
  static const char *const only[] = {"end-states"};
  o.properties = only;
  o.property_count = 1;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_property_count(r), 2);
  assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
  nut_result_free(r);
  o.invariant_count = 0;
  o.reach = two;
  o.reach_count = 1;
  r = nut_check(m, &o);
  nut_property p = nut_result_property(r, 1);
  assert_string_equal(p.kind, "reach");
  assert_int_equal(p.verdict, NUT_HOLDS);
  assert_non_null(p.trace);
  nut_result_free(r);
  o.reach = wrong;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  assert_true(strlen(nut_result_messages(r)) > 0);
  nut_result_free(r);
  nut_model_free(m);
}

static double count_states(nut_model *m)
{
  nut_result *r = nut_count(m, NULL);
  double states = (double)nut_result_figures(r).states;
  nut_result_free(r);
  return states;
}

/* What a question needs of the states is there when it is asked, and gone
** afterwards. */
static void needs_of_questions(void **state)
{
  (void)state;
  static const char *const last[] = {"_last != 1"};
  nut_model *m = load_good("byte g;"
                           "active proctype A() { do :: g = 1 od }"
                           "active proctype B() { do :: g = 1 od }");
  nut_options o = nut_default_options();
  double before = count_states(m);
  assert_true(before == 2);
  for (int i = 0; i < 2; i++) {
    o.invariants = last;
    o.invariant_count = 1;
    nut_result *r = nut_check(m, &o);
    assert_int_equal(nut_result_verdict(r), NUT_VIOLATED);
    nut_result_free(r);
    assert_true(count_states(m) == before);
  }
  nut_model_free(m);
}

static void bad_input(void **state)
{
  (void)state;
  nut_model *m = load("active proctype p() { x = 1 }");
  assert_false(nut_model_good(m));
  assert_non_null(strstr(nut_model_messages(m), "m.pml:1:23"));
  assert_null(nut_model_property(m, 0));
  nut_result *r = nut_check(m, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  nut_result_free(r);
  nut_model_free(m);
  m = nut_load_file("/does/not/exist.pml", NULL);
  assert_false(nut_model_good(m));
  nut_model_free(m);
  m = load_good(mutex);
  static const char *const none[] = {"nothing"};
  nut_options o = nut_default_options();
  o.properties = none;
  o.property_count = 1;
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  nut_result_free(r);
  o = nut_default_options();
  o.store = "none+none";
  r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_ERROR);
  nut_result_free(r);
  nut_model_free(m);
}

static void written_reports(void **state)
{
  (void)state;
  nut_model *m = load_good(mutex);
  nut_result *r = nut_check(m, NULL);
  const nut_trace *t = nut_result_property(r, 0).trace;
  static const struct {
    nut_format format;
    const char *part;
  } expected[] = {{NUT_TEXT, "user(0)"},
                  {NUT_JSON, "\"process_type\": \"user\""},
                  {NUT_TRAIL, "1:"},
                  {NUT_MERMAID, "sequenceDiagram"},
                  {NUT_SVG, "<svg "}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    char *written = nut_trace_write(t, expected[i].format);
    assert_non_null(written);
    assert_non_null(strstr(written, expected[i].part));
    nut_text_free(written);
  }
  char *json = nut_result_write(r, NUT_JSON);
  assert_non_null(strstr(json, "\"verdict\": \"violated\""));
  nut_text_free(json);
  assert_null(nut_result_write(r, NUT_TRAIL));
  nut_result_free(r);
  r = nut_count(m, NULL);
  char *report = nut_result_write(r, NUT_TEXT);
  assert_non_null(strstr(report, "m.pml: violated"));
  nut_text_free(report);
  nut_result_free(r);
  nut_model_free(m);
}

static void preprocessor(void **state)
{
  (void)state;
  static const char *const arguments[] = {"-DN=3"};
  static const char content[] = "#ifdef N\nbyte a[N];\n#endif\n"
                                "active proctype p() { a[2] = 1 }\n";
  nut_load options = nut_load_defaults();
  nut_model *m = nut_load_text("m.pml", content, strlen(content), &options);
  assert_false(nut_model_good(m));
  nut_model_free(m);
  options.preprocessor = arguments;
  options.preprocessor_count = 1;
  m = nut_load_text("m.pml", content, strlen(content), &options);
  assert_true(nut_model_good(m));
  nut_model_free(m);
}

static volatile sig_atomic_t stop_now = 1;

static void interrupted(void **state)
{
  (void)state;
  nut_model *m = load_good("int n; active proctype p() { do :: n++ od }");
  nut_options o = nut_default_options();
  o.interrupt = &stop_now;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_UNKNOWN);
  assert_string_equal(nut_result_reason(r), "interrupted");
  nut_result_free(r);
  nut_model_free(m);
}

/* A jump out of the middle of things may leave memory behind (a half-made
** program), which is no concern of this test: leaks are looked for by all the
** others. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "detect_leaks=0";
}

/* A violation has its run, or a word why not. */
static void assert_told(const nut_result *r)
{
  size_t violated = 0, untold = 0;
  char *text = nut_result_write(r, NUT_TEXT);
  for (size_t i = 0; i < nut_result_property_count(r); i++) {
    nut_property p = nut_result_property(r, i);
    violated += p.verdict == NUT_VIOLATED && !p.trace;
  }
  for (const char *at = text; (at = strstr(at, "its run is not shown: out of"));
       at++)
    untold++;
  assert_int_equal(violated, untold);
  nut_text_free(text);
}

/* No allocation that fails makes a check end in anything but an answer, and
** certainly not in 'holds'. */
static void out_of_memory(void **state)
{
  (void)state;
  nut_model *m = load_good(mutex);
  nut_options o = nut_default_options();
  o.store = "raw+table";
  for (uint64_t n = 1; n < 400; n++) {
    mem_fail_at(n);
    nut_result *r = nut_check(m, &o);
    mem_fail_at(0);
    nut_verdict v = nut_result_verdict(r);
    assert_true(v == NUT_UNKNOWN || v == NUT_VIOLATED);
    if (v == NUT_VIOLATED)
      assert_told(r);
    nut_result_free(r);
  }
  nut_model_free(m);
}

/* A model that memory does not suffice for is no bad model: reading it ends in
** 'unknown', wherever memory ends.  What is small may still find room when what
** is large does not. */
static void reading_out_of_memory(void **state)
{
  (void)state;
  static const char *const files[] = {
      "/examples/promela/peterson.pml",
      "/examples/dve/bridge.dve",
      "/examples/gaston/identifiers.gst",
      "/examples/pnml/mutex.pnml",
      "/tests/dve/macros.mdve",
      "/tests/lpn/asserts.lpn",
      "/tests/lpn/choice.g",
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s%s", NUT_SOURCE_ROOT, files[i]);
    nut_load options = nut_load_defaults();
    nut_verdict v = NUT_UNKNOWN;
    uint64_t more = 1024, tried = 0;
    for (; v == NUT_UNKNOWN; more += 1024 + more / 50, tried++) {
      options.memory_bytes = (4 << 20) + more; /* the program itself has 4 MB */
      nut_model *m = nut_load_file(path, &options);
      v = nut_model_verdict(m);
      nut_model_free(m);
    }
    assert_int_equal(v, NUT_HOLDS);
    assert_true(tried > 10);
  }
}

/* The language is the one asked for, or that of the ending. */
static void languages(void **state)
{
  (void)state;
  assert_string_equal(nut_language_at(0).name, "promela");
  assert_string_equal(nut_language_of("a.b/x.mdve").name, "dve");
  assert_null(nut_language_of("x.dve/readme").name);
  size_t count = 0;
  while (nut_language_at(count).name)
    count++;
  assert_true(count >= 6);
  static const char net[] = ".model m\n.inputs a\n.graph\na+ a-\na- a+\n"
                            ".marking { <a-,a+> }\n.end\n";
  nut_load load = nut_load_defaults();
  load.language = "stg";
  nut_model *m = nut_load_text("-", net, strlen(net), &load);
  assert_string_equal(nut_model_messages(m), "");
  assert_string_equal(nut_model_language(m), "stg");
  nut_result *r = nut_check(m, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  nut_result_free(r);
  nut_model_free(m);
  load.language = "cobol";
  m = nut_load_text("-", net, strlen(net), &load);
  assert_int_equal(nut_model_verdict(m), NUT_ERROR);
  assert_non_null(strstr(nut_model_messages(m), "no language 'cobol'"));
  nut_model_free(m);
}

/* The texts a model was read from: itself, then what it includes. */
static void sources_of_a_model(void **state)
{
  (void)state;
  static const char text[] = "#define N 2\ninit { assert(N == 2) }\n";
  nut_model *m = nut_load_text("m.pml", text, strlen(text), NULL);
  nut_source s = nut_model_source(m, 0);
  assert_string_equal(s.file, "m.pml");
  assert_int_equal(s.length, strlen(text));
  assert_memory_equal(s.text, text, s.length);
  assert_null(nut_model_source(m, 1).file);
  nut_model_free(m);
}

/* What loading was given may be gone when formulas are read. */
static void words_of_loading_are_kept(void **state)
{
  (void)state;
  static const char source[] = "byte x = N; init { skip }";
  char word[] = "-DN=3";
  const char *words[] = {word};
  nut_load load = nut_load_defaults();
  load.preprocessor = words;
  load.preprocessor_count = 1;
  nut_model *m = nut_load_text("m.pml", source, strlen(source), &load);
  memset(word, '?', sizeof word);
  words[0] = NULL;
  memset(&load, 0xff, sizeof load);
  static const char *const formulas[] = {"[] (x == N)"};
  nut_options o = nut_default_options();
  o.ltl = formulas;
  o.ltl_count = 1;
  nut_result *r = nut_check(m, &o);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  nut_result_free(r);
  nut_model_free(m);
}

static void gather(void *to, const char *bytes, size_t n)
{
  assert_true(n < 1000);
  memcpy(to, bytes, n);
}

/* What no process came to, as SPIN has it; a guard that was never true was
** reached all the same. */
static void unreached_statements(void **state)
{
  (void)state;
  static const char source[] = "byte x;\n"
                               "active proctype P() {\n"
                               "  if :: x == 1 -> x = 2 :: else fi;\n"
                               "  x = 0\n"
                               "}\n";
  nut_model *m = nut_load_text("m.pml", source, strlen(source), NULL);
  nut_result *r = nut_check(m, NULL);
  size_t count = 0;
  int32_t all = 0;
  const nut_statement *s = nut_unreached(r, &count);
  assert_int_equal(count, 1);
  assert_string_equal(s->text, "x = 2");
  assert_int_equal(s->at.line, 3);
  assert_int_equal(s->number, 2);
  assert_string_equal(nut_model_process_type(m, 0, &all), "P");
  assert_int_equal(all, s->all);
  assert_null(nut_model_process_type(m, 1, &all));
  nut_result_free(r);
  nut_model_free(m);
}

/* Without macros, on the same lines. */
static void preprocessed_text(void **state)
{
  (void)state;
  static const char source[] = "#define N 3\n\n/* a\n b */ byte x = N;\n"
                               "init { assert(x == N) }\n";
  nut_model *m = nut_load_text("m.pml", source, strlen(source), NULL);
  char out[1000] = {0};
  assert_true(nut_preprocessed(m, gather, out));
  assert_null(strstr(out, "#"));
  assert_null(strstr(out, "N"));
  nut_model *again = nut_load_text("m.pml", out, strlen(out), NULL);
  nut_result *r = nut_check(again, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  const char *init = strstr(out, "init");
  assert_non_null(init);
  size_t lines = 1;
  for (const char *c = out; c < init; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 5);
  nut_result_free(r);
  nut_model_free(again);
  nut_model_free(m);
}

static void version(void **state)
{
  (void)state;
  assert_int_equal(nut_api(), NUT_API);
  assert_true(strlen(nut_version()) >= 5);
  assert_string_equal(nut_verdict_name(NUT_HOLDS), "holds");
}

UNIT_MAIN(UNIT(finds_a_counterexample), UNIT(holds_only_when_complete),
          UNIT(infinite_runs), UNIT(wrong_formulas_do_no_harm),
          UNIT(interrupts_of_loading_count), UNIT(expressions),
          UNIT(needs_of_questions), UNIT(bad_input), UNIT(written_reports),
          UNIT(preprocessor), UNIT(interrupted), UNIT(languages),
          UNIT(sources_of_a_model), UNIT(words_of_loading_are_kept),
          UNIT(unreached_statements), UNIT(preprocessed_text), UNIT(version),
          cmocka_unit_test(out_of_memory),
          cmocka_unit_test(reading_out_of_memory))
