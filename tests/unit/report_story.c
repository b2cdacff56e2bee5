/* Stories: what a step changed, printed and said, and traces in files. */

#include "unit.h"

#include "api/handle.h"
#include "report/chart/chart.h"
#include "report/draw/dot.h"
#include "report/tracefile.h"

typedef struct told {
  nut_model *model;
  nut_result *result;
  story *story; /* of the first property that has one */
} told;

/* Checks a model, shortest way first, and completes the story found. */
static told tell(const char *content)
{
  told t = {0};
  t.model = nut_load_text("m.pml", content, strlen(content), NULL);
  assert_string_equal(nut_model_messages(t.model), "");
  nut_options o = nut_default_options();
  o.shortest = true;
  t.result = nut_check(t.model, &o);
  assert_int_equal(nut_result_verdict(t.result), NUT_VIOLATED);
  for (size_t i = 0; i < t.result->account.answers.len && !t.story; i++)
    t.story = t.result->account.answers.data[i].story;
  assert_non_null(t.story);
  story_complete(t.story);
  return t;
}

static void forget(told *t)
{
  nut_result_free(t->result);
  nut_model_free(t->model);
}

/* The first step with this text; -1: there is none. */
static int64_t find_step(const story *s, const char *statement)
{
  for (size_t i = 0; i < s->steps.len; i++)
    if (strcmp(s->steps.data[i].text, statement) == 0)
      return (int64_t)i;
  return -1;
}

static const telling *step_of(const story *s, const char *statement)
{
  int64_t i = find_step(s, statement);
  assert_true(i >= 0);
  return &s->steps.data[i];
}

static const change *change_of(const story *s, const char *statement,
                               uint32_t which)
{
  const telling *t = step_of(s, statement);
  assert_true(which < t->change_count);
  return &s->changes.data[t->first_change + which];
}

static void changes(void **state)
{
  (void)state;
  told t = tell("mtype = { red, green };\n"
                "typedef pair { short a[2] }\n"
                "pair p; mtype m;\n"
                "active proctype q() {\n"
                "  byte loc;\n"
                "  m = green; loc = 3; p.a[1] = -7;\n"
                "  printf(\"%d %e %x%%\\n\", p.a[1], m, loc + 7);\n"
                "  assert(false)\n"
                "}\n");
  const change *c = change_of(t.story, "m = green", 0);
  assert_string_equal(c->label, "m");
  assert_string_equal(c->before, "0");
  assert_string_equal(c->after, "green");
  c = change_of(t.story, "loc = 3", 0);
  assert_string_equal(c->label, "loc");
  assert_int_equal(c->process, 0);
  c = change_of(t.story, "p.a[1] = -(7)", 0);
  assert_string_equal(c->label, "p.a[1]");
  assert_int_equal(c->new_value, -7);
  const telling *last = &vec_last(&t.story->steps);
  assert_string_equal(last[-1].output, "-7 green a%\n");
  assert_string_equal(t.story->ending, "assertion violated");
  forget(&t);
}

static void births_and_deaths(void **state)
{
  (void)state;
  told t = tell("byte done;\n"
                "proctype w(byte a; byte b) { done = a + b }\n"
                "init { run w(1, 2); _nr_pr == 1 -> assert(done != 3) }\n");
  const change *c = change_of(t.story, "(run w(1,2))", 0);
  assert_int_equal(c->kind, CHANGE_START);
  assert_string_equal(c->label, "w(1)");
  assert_string_equal(c->after, "a = 1, b = 2");
  c = change_of(t.story, "-end-", 0);
  assert_int_equal(c->kind, CHANGE_END);
  assert_string_equal(c->label, "w(1)");
  forget(&t);
}

/* Each receive finds its send: in order, out of order, sorted, at once. */
static void who_talks_to_whom(void **state)
{
  (void)state;
  told t = tell("mtype = { a, b };\n"
                "chan q = [4] of { mtype, byte };\n"
                "chan s = [4] of { byte };\n"
                "chan r = [0] of { byte };\n"
                "byte x;\n"
                "active proctype p() {\n"
                "  q!a(1); q!b(2); q!a(3);\n"
                "  q??b(x); q?a(x);\n"
                "  s!!5; s!!3; s?x;\n"
                "  r!7 }\n"
                "active proctype o() {\n"
                "  byte y; r?y; assert(y != 7) }\n");
  const story *s = t.story;
  assert_string_equal(step_of(s, "q!a,1")->message, "a(1)");
  assert_string_equal(step_of(s, "q!a,1")->channel, "q");
  assert_int_equal(step_of(s, "q??b,x")->partner, find_step(s, "q!b,2"));
  assert_int_equal(step_of(s, "q?a,x")->partner, find_step(s, "q!a,1"));
  assert_int_equal(step_of(s, "s?x")->partner, find_step(s, "s!!3"));
  const telling *meet = step_of(s, "r?y");
  assert_true(meet->flags & STEP_PARTNER);
  assert_int_equal(meet->partner, find_step(s, "r!7"));
  assert_string_equal(meet->message, "7");
  const change *c = change_of(s, "q!a,3", 0);
  assert_string_equal(c->after, "[a(1), b(2), a(3)]");
  chart drawn;
  chart_create(&drawn, t.story, false);
  assert_int_equal(drawn.lanes.len, 2);
  chart_free(&drawn);
  forget(&t);
}

static void details_of_a_part(void **state)
{
  (void)state;
  told t = tell("byte n; active proctype p() {\n"
                "  do :: n < 9 -> n++ :: else -> break od; assert(n < 9) }\n");
  story *part = story_create(t.result->asked.program);
  story_tell(part, t.story->trace);
  story_details(part, 4, 8);
  for (size_t i = 0; i < part->steps.len; i++) {
    const telling *a = &part->steps.data[i], *b = &t.story->steps.data[i];
    assert_int_equal(a->detailed, i >= 4 && i < 8);
    if (!a->detailed || a->change_count == 0)
      continue;
    assert_int_equal(a->change_count, b->change_count);
    assert_string_equal(part->changes.data[a->first_change].after,
                        t.story->changes.data[b->first_change].after);
  }
  story_destroy(part);
  forget(&t);
}

static const char walk[] = "byte n; chan c = [1] of { byte };\n"
                           "active proctype p() {\n"
                           "  d_step { n = 1; n++ }; c!n; c?n;\n"
                           "  assert(n == 0) }\n";

/* What is written can be read and followed, and says the same. */
static void written_and_read(void **state)
{
  (void)state;
  told t = tell(walk);
  for (int trail = 0; trail < 2; trail++) {
    text out = {0}, message = {0};
    recorded r;
    if (trail)
      trail_write(t.story, &out);
    else
      assert_true(json_story(t.story, NULL, 0, &out));
    assert_true(recorded_read(&r, t.story->model, text_string(&out), out.len,
                              &message));
    worker *w = worker_create(t.result->asked.program);
    size_t followed;
    trace *again = trail_replay(w, t.result->asked.program, r.kind,
                                r.choices.data, r.choices.len, &followed);
    assert_int_equal(followed, r.choices.len);
    assert_int_equal(again->end, TRACE_FAULT);
    assert_int_equal(again->steps.len, t.story->trace->steps.len);
    story *s = story_create(t.result->asked.program);
    story_tell(s, again);
    if (!trail)
      assert_int_equal(recorded_compare(&r, s, &message), -1);
    story_destroy(s);
    trace_destroy(again);
    worker_destroy(w);
    recorded_free(&r);
    text_free(&out);
    text_free(&message);
  }
  forget(&t);
}

static void bad_traces(void **state)
{
  (void)state;
  static const char *const bad[] = {
      "1:2",
      "x",
      "1:0:0\nrubbish\n",
      "1:0:0 7\n",
      "1:300:1\n",
      "1:0:-5\n",
      "-5:1:1\n",
      "{",
      "{}",
      "[1]",
      "{\"steps\": {}}",
      "{\"steps\": [3]}",
      "{\"steps\": [{\"process\": -1, \"edge\": 0}]}",
      "{\"steps\": [{\"process\": 0, \"edge\": 100000}]}",
      "{\"steps\": [{\"process\": 0, \"edge\": 0, \"text\": \"no\"}]}"};
  told t = tell(walk);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    recorded r;
    text message = {0};
    assert_false(
        recorded_read(&r, t.story->model, bad[i], strlen(bad[i]), &message));
    assert_true(message.len > 0);
    recorded_free(&r);
    text_free(&message);
  }
  forget(&t);
}

/* SPIN's header records, and the claim as process 0. */
static void trail_headers(void **state)
{
  (void)state;
  static const char trail[] = "-2:1:-2\n-4:-4:-4\n1:0:9\n2:1:3\n"
                              "-1:-1:-1\n3:0:9\n4:2:5\n";
  told t = tell(walk);
  recorded r;
  text message = {0};
  assert_true(
      recorded_read(&r, t.story->model, trail, strlen(trail), &message));
  assert_int_equal(r.kind, CHOICE_MERGED);
  assert_int_equal(r.choices.len, 2);
  assert_int_equal(r.choices.data[0].process, 0);
  assert_int_equal(r.choices.data[1].process, 1);
  assert_int_equal(r.choices.data[1].id, 5);
  assert_int_equal(r.lines.data[1], 7);
  recorded_free(&r);
  forget(&t);
}

static void drawings(void **state)
{
  (void)state;
  text out = {0};
  dot_label("a \"b\" \\n", &out);
  assert_string_equal(text_string(&out), "a \\\"b\\\" \\\\n");
  text_clear(&out);
  told t = tell(walk);
  dot_processes(t.story->model, NULL, &out);
  assert_non_null(strstr(text_string(&out), "p0_in [shape=plaintext"));
  text_clear(&out);
  assert_int_equal(dot_states(t.result->asked.program, NULL, 2,
                              t.result->asked.limits, &out),
                   STATES_TOO_MANY);
  assert_int_equal(out.len, 0);
  assert_int_equal(dot_states(t.result->asked.program, NULL, 100,
                              t.result->asked.limits, &out),
                   STATES_DONE);
  assert_non_null(strstr(text_string(&out), "s0 -> s1"));
  text_free(&out);
  forget(&t);
}

static void texts_of_any_bytes(void **state)
{
  (void)state;
  json_t *good = json_text("gr\xc3\xbc\xc3\x9f"), *bad = json_text("gr\xfc");
  assert_string_equal(json_string_value(good), "gr\xc3\xbc\xc3\x9f");
  assert_string_equal(json_string_value(bad), "gr?");
  json_decref(good);
  json_decref(bad);
}

UNIT_MAIN(UNIT(changes), UNIT(births_and_deaths), UNIT(who_talks_to_whom),
          UNIT(details_of_a_part), UNIT(written_and_read), UNIT(bad_traces),
          UNIT(trail_headers), UNIT(drawings), UNIT(texts_of_any_bytes))
