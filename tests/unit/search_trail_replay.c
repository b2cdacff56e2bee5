/* Following records that are coarser than our steps, wrong, or of unknown
** statements. */

#include "search_kit.h"

#include "base/limits.h"

enum { COUNT = 200, DIE = 201 };

/* The family: process 0 starts children, which count and die. */
static kit family(uint32_t *start)
{
  kit k = make_family(3, false);
  kit_finish(&k);
  const process_type *parent = k.m->initial.data[0];
  *start = (uint32_t)parent->edges.data[0]->number;
  return k;
}

static trace *follow(kit *k, choice_kind kind, const choice *choices,
                     size_t count, size_t *followed)
{
  worker *w = worker_create(k->program);
  trace *t = trail_replay(w, k->program, kind, choices, count, followed);
  assert_non_null(t);
  assert_int_equal(trace_verify(w, k->program, t), TRACE_MADE);
  worker_destroy(w);
  return t;
}

/* The second child is process 1 again only if the first has died. */
static void deaths_may_be_missing(void **state)
{
  (void)state;
  uint32_t start;
  kit k = family(&start);
  const choice choices[] = {{0, start}, {1, COUNT}, {0, start}, {1, COUNT}};
  size_t followed;
  trace *t = follow(&k, CHOICE_NUMBERS, choices, 4, &followed);
  assert_int_equal(followed, 4);
  assert_int_equal(t->steps.len, 6);
  trace_destroy(t);
  const choice with[] = {{0, start}, {1, COUNT}, {1, DIE},
                         {0, start}, {1, COUNT}, {1, DIE},
                         {0, start}, {1, COUNT}, {1, DIE}};
  t = follow(&k, CHOICE_NUMBERS, with, 9, &followed);
  assert_int_equal(followed, 9);
  assert_int_equal(t->steps.len, 10);
  assert_int_equal(t->end, TRACE_FINISHED);
  trace_destroy(t);
  kit_destroy(&k);
}

static void merged_steps_may_be_missing(void **state)
{
  (void)state;
  uint32_t start;
  kit k = family(&start);
  const choice choices[] = {{0, start}, {2, COUNT}};
  size_t followed;
  trace *t = follow(&k, CHOICE_MERGED, choices, 2, &followed);
  assert_int_equal(followed, 2);
  assert_int_equal(t->steps.len, 4);
  trace_destroy(t);
  t = follow(&k, CHOICE_NUMBERS, choices, 2, &followed);
  assert_int_equal(followed, 1);
  assert_int_equal(t->steps.len, 2);
  assert_int_equal(t->end, TRACE_OPEN);
  trace_destroy(t);
  kit_destroy(&k);
}

static void wrong_and_unknown(void **state)
{
  (void)state;
  uint32_t start;
  kit k = family(&start);
  size_t followed;
  const choice unknown[] = {{0, 999}, {0, start}, {7, 998}, {1, COUNT}, {0, 0}};
  trace *t = follow(&k, CHOICE_NUMBERS, unknown, 5, &followed);
  assert_int_equal(followed, 5);
  assert_int_equal(t->steps.len, 3);
  trace_destroy(t);
  const choice wrong[] = {{0, start}, {1, DIE}, {1, COUNT}};
  t = follow(&k, CHOICE_NUMBERS, wrong, 3, &followed);
  assert_int_equal(followed, 1);
  trace_destroy(t);
  t = follow(&k, CHOICE_NUMBERS, NULL, 0, &followed);
  assert_int_equal(followed, 0);
  assert_int_equal(t->steps.len, 1);
  trace_destroy(t);
  kit_destroy(&k);
}

/* A trace that was changed anywhere does not verify. */
static void forged_traces(void **state)
{
  (void)state;
  uint32_t start;
  kit k = family(&start);
  const choice choices[] = {{0, start}, {1, COUNT}, {1, DIE}, {0, start}};
  size_t followed;
  trace *t = follow(&k, CHOICE_NUMBERS, choices, 4, &followed);
  worker *w = worker_create(k.program);
  for (size_t i = 0; i < t->bytes.len; i++) {
    t->bytes.data[i] ^= 1;
    assert_int_equal(trace_verify(w, k.program, t), TRACE_IMPOSSIBLE);
    t->bytes.data[i] ^= 1;
  }
  for (size_t i = 1; i < t->steps.len; i++) {
    t->steps.data[i].process ^= 1;
    assert_int_equal(trace_verify(w, k.program, t), TRACE_IMPOSSIBLE);
    t->steps.data[i].process ^= 1;
  }
  t->end = TRACE_INVALID_END;
  assert_int_equal(trace_verify(w, k.program, t), TRACE_IMPOSSIBLE);
  worker_destroy(w);
  trace_destroy(t);
  kit_destroy(&k);
}

/* Without memory there is no trace, and nothing is left behind. */
static void failing_allocations(void **state)
{
  (void)state;
  uint32_t start;
  kit k = family(&start);
  const choice choices[] = {{0, start}, {1, COUNT}, {0, start}, {1, COUNT}};
  worker *w = worker_create(k.program);
  trace *t = NULL;
  for (uint64_t n = 1; !t; n++) {
    size_t followed;
    mem_fail_at(n);
    t = trail_replay(w, k.program, CHOICE_NUMBERS, choices, 4, &followed);
    mem_fail_at(0);
  }
  assert_int_equal(t->steps.len, 6);
  trace_destroy(t);
  worker_destroy(w);
  kit_destroy(&k);
}

/* A run that never ends: each step wraps a counter. */
static kit counter(void)
{
  kit k = kit_create();
  var *v = add_global(&k, "v");
  edge *e = add_edge(&k, add_process(&k, "P", LOC_END), NULL);
  assign(&k, e, v, binary(&k, OP_ADD, use(&k, v), number(&k, 1)));
  kit_finish(&k);
  return k;
}

static uint32_t first_successor(void *context, size_t i, const uint8_t **state)
{
  (void)context, (void)i, (void)state;
  return 0;
}

/* Looks at the clock since 'before'. */
static uint64_t looks_since(const limits *l, uint64_t *before)
{
  uint64_t looks = l->looks - *before;
  *before = l->looks;
  return looks;
}

/* Making, verifying and following a long run each look at the clock in
** proportion to its steps, not only when an array grows. */
static void long_runs_look_at_the_clock(void **state)
{
  (void)state;
  enum { STEPS = 64 * MEM_POLLS };
  kit k = counter();
  limits l;
  uint64_t before = 0;
  size_t followed;
  choice *choices = mem_alloc(STEPS * sizeof *choices);
  for (size_t i = 0; i < STEPS; i++)
    choices[i] = (choice){0, 100};
  limits_start(&l, &(limits_asked){0});
  mem_budget *outer = limits_enter(&l);
  worker *w = worker_create(k.program);
  trace *t = NULL;
  trace_path path = {STEPS, first_successor, NULL};
  trace_claim claim = {.end = TRACE_PREFIX};
  assert_int_equal(trace_build(w, k.program, &path, &claim, &t), TRACE_MADE);
  assert_true(looks_since(&l, &before) >= 63);
  assert_int_equal(trace_verify(w, k.program, t), TRACE_MADE);
  assert_true(looks_since(&l, &before) >= 63);
  trace_destroy(t);
  t = trail_replay(w, k.program, CHOICE_NUMBERS, choices, STEPS, &followed);
  assert_int_equal(followed, STEPS);
  assert_true(looks_since(&l, &before) >= 63);
  trace_destroy(t);
  worker_destroy(w);
  limits_leave(outer);
  mem_free(choices, STEPS * sizeof *choices);
  kit_destroy(&k);
}

UNIT_MAIN(UNIT(deaths_may_be_missing), UNIT(merged_steps_may_be_missing),
          UNIT(wrong_and_unknown), UNIT(forged_traces),
          UNIT(failing_allocations), UNIT(long_runs_look_at_the_clock))
