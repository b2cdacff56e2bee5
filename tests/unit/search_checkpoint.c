/* Searches that are kept in files and go on from them, in legs, by other numbers
** of threads, against those that nobody has stopped; with '--models STATES
** FILE...' on models, and with '--runs STATES FILE...' on their infinite runs
** (tests/run-checkpoint). */

#include "legs_kit.h"
#include "load_kit.h"
#include "same_result.h"

#include "model/ltl.h"
#include <ftw.h>

/* ---- legs ------------------------------------------------------------------ */

/* How often levels were in the middle of this when a leg ended. */
static uint64_t phases[ROW_PHASES_];

static void note_phase(uint64_t made)
{
  block_reader *r = made ? open_file(paths[made % 2]) : NULL;
  bool doubts, gave_up;
  if (r && checkpoint_stage_of(r, &doubts, &gave_up) == CHECKPOINT_RUNS &&
      block_expect(r, CHECKPOINT_LEDGER)) {
    block_get_number(r);
    phases[block_get_number(r) % ROW_PHASES_]++;
  }
  block_reader_close(r);
}

/* How often a leg began with states of a disk: without one, with one; and with those
** of a product. */
static uint64_t from_disk[2], product_from_disk[2];

static void note_disk(const char *path, bool with_disk)
{
  block_reader *r = path ? open_file(path) : NULL;
  bool doubts, gave_up;
  checkpoint_stage stage =
      r ? checkpoint_stage_of(r, &doubts, &gave_up) : CHECKPOINT_START;
  if (stage == CHECKPOINT_WALK && block_expect(r, CHECKPOINT_UNMADE))
    from_disk[with_disk] += block_get_number(r);
  if (stage == CHECKPOINT_RUNS && block_expect(r, CHECKPOINT_LEDGER)) {
    block_get_number(r);
    if (block_get_number(r) == ROW_LEVELS && block_expect(r, CHECKPOINT_UNMADE))
      product_from_disk[with_disk] += block_get_number(r);
  }
  block_reader_close(r);
}

/* What levels told of infinite runs, in one piece.  (The search without files is
** depth first, and the truth; where levels tell nothing by mistake it does not
** differ.) */
static runs_figures told_whole(kit *k, const manner *m)
{
  manner forever = *m;
  uint64_t made = 0;
  bool stopped;
  forever.stop_at = forever.batches = UINT64_MAX;
  search_result r = run_leg(k, &forever, 2, NULL, &made, 0, &stopped);
  runs_figures told = r.runs;
  search_result_free(&r);
  return told;
}

/* With a disk a run that violates a property of infinite runs is shown only if there
** is memory for a depth-first search. */
static const char *difference(const manner *m, const search_result *one,
                              const search_result *r)
{
  bool is_untold = false;
  for (size_t i = 0; m->bytes && i < r->answers.len; i++) {
    if (r->answers.data[i].verdict != one->answers.data[i].verdict)
      return "a verdict";
    is_untold |= r->answers.data[i].untold != REASON_NONE;
  }
  return is_untold ? NULL : result_difference(one, r);
}

/* With a disk: memory did not do, and there will be more in another leg. */
static bool lacks_memory(const manner *m, const search_result *r)
{
  bool lacks = false;
  for (size_t i = 0; m->bytes && m->infinite && i < r->answers.len; i++)
    lacks |= r->answers.data[i].reason == REASON_OUT_OF_MEMORY ||
             r->answers.data[i].reason == REASON_MEMORY_LIMIT;
  return lacks;
}

/* Goes on from the last file, or from the one before, until nothing is left. */
static const char *compare_legs(kit *k, const manner *m, bool older)
{
  static const uint32_t threads[] = {1, 2, 4, 1, 3};
  manner in_memory = *m;
  in_memory.bytes = 0;
  search_result one = run_whole(k, &in_memory);
  runs_figures told = told_whole(k, m);
  const char *wrong = NULL;
  uint64_t made = 0;
  drop_files();
  for (unsigned n = 0;; n++) {
    uint64_t from =
        made && older && n % 2 && access(paths[(made - 1) % 2], 0) == 0
            ? made - 1
            : made;
    made = from;
    bool stopped;
    manner way = *m;
    way.stop_at += n / 4; /* also when a leg from the older file gains little */
    way.bytes = n % 3 == 2 ? 0 : m->bytes * (1 + n % 2);
    note_disk(last_file(from), way.bytes);
    search_result r = run_leg(k, &way, threads[(n + m->batches) % 5],
                              last_file(from), &made, 0, &stopped);
    stopped |= lacks_memory(m, &r);
    if (stopped && m->infinite)
      note_phase(made);
    if (!stopped)
      wrong = r.not_resumed ? r.not_resumed : difference(m, &one, &r);
    if (!stopped && !wrong && !m->bytes && memcmp(&told, &r.runs, sizeof told))
      wrong = "what levels told";
    search_result_free(&r);
    if (!stopped)
      break;
  }
  search_result_free(&one);
  return wrong;
}

/* Memory runs out at some allocation: the last file goes on. */
static const char *compare_failing(kit *k, const manner *m)
{
  search_result one = run_whole(k, m);
  const char *wrong = NULL;
  bool is_over = false;
  for (uint64_t n = 1; !wrong && !is_over; n += n < 100 ? 1 : n / 10) {
    uint64_t made = 0;
    drop_files();
    manner forever = *m;
    forever.stop_at = UINT64_MAX;
    bool stopped;
    search_result r = run_leg(k, &forever, 1 + n % 3, NULL, &made, n, &stopped);
    is_over = r.complete && !result_difference(&one, &r);
    search_result_free(&r);
    r = run_leg(k, &forever, 1 + n % 2, last_file(made), &made, 0, &stopped);
    wrong = r.not_resumed ? r.not_resumed : result_difference(&one, &r);
    search_result_free(&r);
  }
  search_result_free(&one);
  return wrong;
}

/* ---- models by hand --------------------------------------------------------- */

static void legs_of(kit k)
{
  kit_finish(&k);
  for (unsigned i = 0; i < 12; i++) {
    manner m = {.batches = 1 + i,
                .stop_at = 1 + i % 3,
                .max_errors = i % 2,
                .por = i % 3 == 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .reckon = i % 6 == 5 ? 20 : 0,
                .count = i % 4 == 3 && i % 6 != 5};
    const char *wrong = compare_legs(&k, &m, i % 2);
    if (wrong)
      fail_msg("%s, in manner %u", wrong, i);
  }
  kit_destroy(&k);
}

/* A leg ends at each of its looks at the clock, also in a dive, which is then done
** as a whole. */
static const char *compare_cut(kit *k, const manner *m)
{
  manner forever = *m, cut;
  forever.stop_at = forever.batches = UINT64_MAX;
  cut = forever;
  search_result one = run_whole(k, &forever);
  const char *wrong = NULL;
  bool ends = true;
  for (cut.looks = 1; ends && !wrong; cut.looks++) {
    uint64_t made = 0;
    bool stopped;
    drop_files();
    search_result r =
        run_leg(k, &cut, 1 + cut.looks % 2, NULL, &made, 0, &stopped);
    ends = r.reason == REASON_TIME_LIMIT;
    search_result_free(&r);
    r = run_leg(k, &forever, 1, last_file(made), &made, 0, &stopped);
    wrong = result_difference(&one, &r);
    search_result_free(&r);
  }
  search_result_free(&one);
  return wrong;
}

/* With dives, in which there is an error or not. */
static void dives_of(kit k, bool is_found)
{
  kit_finish(&k);
  for (unsigned i = 0; i < 6; i++) {
    manner m = {.batches = 1 + i,
                .stop_at = 1 + i % 3,
                .max_errors = 1,
                .deep = is_found ? 120 : 4,
                .por = i % 3 == 2 ? NUT_POR_STUBBORN : NUT_POR_OFF};
    search_result one = run_whole(&k, &m);
    assert_true(one.stats.deep_states > 0 || m.por != NUT_POR_OFF);
    assert_true(is_found == (one.verdict == VERDICT_VIOLATED));
    assert_true(!is_found || one.stats.states < 5 * 5 * 5 * 5 * 5);
    search_result_free(&one);
    const char *wrong = compare_legs(&k, &m, i % 2);
    if (!wrong)
      wrong = compare_cut(&k, &m);
    if (wrong)
      fail_msg("%s, in manner %u", wrong, i);
  }
  kit_destroy(&k);
}

/* With a part of the memory, and a disk: legs with and without. */
static void disks_of(kit k)
{
  kit_finish(&k);
  for (unsigned i = 0; i < 24; i++) {
    manner m = {.batches = 1 + i,
                .stop_at = 1 + i % 3,
                .max_errors = i % 2,
                .por = i % 3 == 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .count = i % 4 == 3};
    search_result one = run_whole(&k, &m);
    m.bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / (2 + i % 7);
    search_result_free(&one);
    const char *wrong = compare_legs(&k, &m, i % 2);
    if (wrong)
      fail_msg("%s, in manner %u", wrong, i);
  }
  kit_destroy(&k);
}

static kit with_invariant(kit k)
{
  add_property(&k, PROPERTY_INVARIANT, "small",
               binary(&k, OP_LT, use(&k, k.m->globals.data[1]), number(&k, 5)));
  return k;
}

/* Every step is seen, so that nothing can be left out. */
static kit with_sum(kit k, int32_t below)
{
  expr *sum = number(&k, 0);
  for (size_t i = 0; i < k.m->globals.len; i++)
    sum = binary(&k, OP_ADD, sum, use(&k, k.m->globals.data[i]));
  add_property(&k, PROPERTY_INVARIANT, "sum",
               binary(&k, OP_LT, sum, number(&k, below)));
  return k;
}

/* ---- infinite runs ----------------------------------------------------------- */

/* A grid whose processes begin again, some of them, and what is asked of it. */
static kit make_rounds(unsigned n, int32_t size, unsigned which)
{
  kit k = make_grid(n, size, 0, 0);
  arena *a = k.m->arena;
  for (unsigned i = 0; i < n; i++) {
    var *v = k.m->globals.data[i];
    edge *e = add_edge(&k, k.m->processes.data[i],
                       binary(&k, OP_EQ, use(&k, v), number(&k, size - 1)));
    if ((which + i) % 4)
      assign(&k, e, v, number(&k, (int32_t)(which % 2)));
  }
  var *first = k.m->globals.data[0], *last = k.m->globals.data[n - 1];
  expr *end = binary(&k, OP_EQ, use(&k, first), number(&k, size - 1));
  expr *start = binary(&k, OP_EQ, use(&k, last), number(&k, 0));
  const ltl *p = ltl_leaf(a, NULL, end), *q = ltl_leaf(a, NULL, start);
  const ltl *again =
      ltl_new(a, LTL_ALWAYS, ltl_new(a, LTL_EVENTUALLY, p, NULL), NULL);
  const ltl *both[] = {
      again,
      ltl_new(a, LTL_EVENTUALLY, p, NULL),
      ltl_new(a, LTL_ALWAYS,
              ltl_new(a, LTL_OR, ltl_new(a, LTL_NOT, q, NULL),
                      ltl_new(a, LTL_EVENTUALLY, p, NULL)),
              NULL),
      ltl_new(
          a, LTL_OR, ltl_new(a, LTL_NOT, again, NULL),
          ltl_new(a, LTL_ALWAYS, ltl_new(a, LTL_EVENTUALLY, q, NULL), NULL)),
  };
  add_property(&k, PROPERTY_LTL, "one", NULL)->ltl = both[which % 4];
  add_property(&k, PROPERTY_LTL, "other", NULL)->ltl = both[(which + 1) % 4];
  return k;
}

static void rounds(void **state)
{
  (void)state;
  memset(phases, 0, sizeof phases);
  for (unsigned i = 0; i < 72; i++) {
    kit k = make_rounds(2 + i % 2, 3 + i % 3, i);
    kit_finish(&k);
    manner m = {.batches = 1 + i % 7,
                .stop_at = 1 + i % 3,
                .max_errors = i % 2,
                .por = i % 5 == 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .infinite = true,
                .fair = (nut_fair)(i % 3)};
    const char *wrong = compare_legs(&k, &m, i % 4 == 1);
    if (wrong)
      fail_msg("%s, in round %u", wrong, i);
    kit_destroy(&k);
  }
  for (int i = 0; i < ROW_UNTOLD; i++)
    assert_true(phases[i] > 0);
}

/* The same with a disk. */
static void rounds_on_disk(void **state)
{
  (void)state;
  memset(phases, 0, sizeof phases);
  for (unsigned i = 0; i < 48; i++) {
    kit k = make_rounds(3, 5 + i % 4, i);
    kit_finish(&k);
    manner m = {.batches = 1 + i % 7,
                .stop_at = 1 + i % 3,
                .max_errors = i % 2,
                .infinite = true,
                .fair = (nut_fair)(i % 3)};
    search_result one = run_whole(&k, &m);
    m.bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / (2 + i % 7);
    search_result_free(&one);
    const char *wrong = compare_legs(&k, &m, i % 4 == 1);
    if (wrong)
      fail_msg("%s, in round %u", wrong, i);
    kit_destroy(&k);
  }
  assert_true(phases[ROW_LEVELS] > 0); /* later phases: threads decide */
  assert_true(product_from_disk[false] > 0 && product_from_disk[true] > 0);
}

/* ---- sweeps on a disk -------------------------------------------------------- */

/* How often a run went on inside a sweep: whether states were on a disk, and are
** now; and at which stage those were that had them there. */
static uint64_t swept_from[2][2], stages_seen[8];

/* Whether the file is of a sweep; of states on a disk ('*whole'), and at this
** stage. */
static bool is_of_sweep(const char *path, uint64_t *whole, uint64_t *stage)
{
  block_reader *r = open_file(path);
  bool doubts, gave_up, sweeps;
  assert_non_null(r);
  sweeps = checkpoint_stage_of(r, &doubts, &gave_up) == CHECKPOINT_RUNS &&
           block_expect(r, CHECKPOINT_LEDGER);
  if (sweeps) {
    block_get_number(r);
    sweeps = block_get_number(r) == ROW_SWEEPS;
  }
  *whole = sweeps && block_expect(r, CHECKPOINT_UNMADE) && block_get_number(r);
  *stage = 0;
  if (*whole) {
    assert_true(block_expect(r, CHECKPOINT_LEVEL) &&
                block_expect(r, CHECKPOINT_WHOLE) &&
                block_expect(r, CHECKPOINT_SWEEP));
    *stage = block_get_number(r);
  }
  block_reader_close(r);
  return sweeps;
}

/* In memory a loop may be met before anything is swept. */
static bool is_told_so(const search_result *a, const search_result *b)
{
  bool same =
      a->runs.met != b->runs.met || (a->runs.told == b->runs.told &&
                                     a->runs.iterations == b->runs.iterations &&
                                     a->runs.sweeps == b->runs.sweeps);
  for (size_t i = 0; same && i < a->answers.len; i++)
    same = a->answers.data[i].verdict == b->answers.data[i].verdict;
  return same;
}

/* Goes on to the end, in several ways, from a copy of the file. */
static void end_sweeps(kit *k, const manner *m, uint64_t made, size_t bytes,
                       const search_result *one)
{
  char copy[260];
  uint64_t whole, stage;
  const char *path = last_file(made);
  if (!path || !is_of_sweep(path, &whole, &stage))
    return;
  stages_seen[stage] += whole;
  snprintf(copy, sizeof copy, "%s.copy", run_file);
  assert_int_equal(rename(path, copy), 0);
  for (int way = 0; way < 3; way++) {
    manner to = *m;
    uint64_t from = made;
    bool stopped;
    to.batches = to.stop_at = UINT64_MAX;
    to.bytes = bytes * (size_t)(way * way) * 2;
    drop_files();
    assert_int_equal(link(copy, path), 0);
    search_result r = run_leg(k, &to, 1 + way % 2, path, &from, 0, &stopped);
    bool ends = lacks_memory(&to, &r);
    swept_from[whole][r.disk.renewals > 0] += !ends;
    if (r.not_resumed || (!ends && !is_told_so(one, &r)))
      fail_msg(
          "%s, stage %d, way %d, fairness %d, batch %d: %d %d %d, %d %d %d",
          r.not_resumed ? r.not_resumed : "another result", (int)stage, way,
          (int)m->fair, (int)m->batches, (int)one->runs.told,
          (int)one->runs.iterations, (int)one->runs.sweeps, (int)r.runs.told,
          (int)r.runs.iterations, (int)r.runs.sweeps);
    search_result_free(&r);
  }
  unlink(copy);
}

/* One thread is stopped at moments that are so many batches apart, of which some
** are passed over, on a disk or in memory. */
static void sweeps_of(kit k, nut_fair fair, bool on_disk, uint64_t apart,
                      uint64_t every)
{
  manner m = {.infinite = true, .fair = fair, .batches = apart}, forever;
  bool stopped = true;
  uint64_t made = 0;
  kit_finish(&k);
  search_result one = run_whole(&k, &m);
  size_t bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / 3;
  search_result_free(&one);
  m.bytes = on_disk ? bytes : 0;
  forever = m;
  forever.stop_at = forever.batches = UINT64_MAX;
  drop_files();
  one = run_leg(&k, &forever, 1, NULL, &made, 0, &stopped);
  stopped = true;
  for (m.stop_at = 1; stopped; m.stop_at += every) {
    made = 0;
    drop_files();
    search_result r = run_leg(&k, &m, 1, NULL, &made, 0, &stopped);
    search_result_free(&r);
    if (stopped)
      end_sweeps(&k, &m, made, bytes, &one);
  }
  search_result_free(&one);
  kit_destroy(&k);
}

static void sweeps(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 12; i++)
    sweeps_of(make_rounds(3, 5 + i % 2, i), (nut_fair)(i % 3), i % 4 != 3,
              11 + 2 * i, 1);
  /* Too many for memory, which they were not before. */
  sweeps_of(make_rounds(3, 14, 4), NUT_FAIR_NONE, false, 1500, 2);
  sweeps_of(make_rounds(3, 14, 5), NUT_FAIR_WEAK, false, 1500, 2);
  for (int i = 0; i < 4; i++)
    assert_true(swept_from[i / 2][i % 2] > 0);
  for (int i = 0; i < 7; i++)
    assert_true(stages_seen[i] > 0);
}

/* So many states wait that they are in a file. */
static void many_wait(void **state)
{
  (void)state;
  sweeps_of(make_rounds(3, 20, 5), NUT_FAIR_WEAK, true, 5000, 6);
}

static void legs(void **state)
{
  (void)state;
  legs_of(make_grid(1, 2, LOC_END, 0));
  legs_of(make_grid(3, 6, LOC_END, 0));
  legs_of(make_grid(4, 5, 0, 0));
  legs_of(make_grid(3, 7, 0, 3));
  legs_of(make_family(6, false));
  legs_of(with_invariant(make_grid(3, 7, LOC_END, 0)));
  legs_of(with_invariant(make_grid(3, 7, 0, 7)));
  legs_of(with_invariant(make_family(6, false)));
  legs_of(with_sum(make_grid(3, 6, LOC_END, 0), 100));
}

static void dives(void **state)
{
  (void)state;
  dives_of(make_grid(5, 5, 0, 0), true);
  dives_of(make_grid(4, 6, LOC_END, 0), false);
  dives_of(make_family(6, false), false);
}

/* Goes on from a file without a disk. */
static void end_from(kit *k, const manner *m, uint64_t from,
                     const search_result *whole)
{
  bool stopped;
  search_result r = run_leg(k, m, 1, last_file(from), &from, 0, &stopped);
  const char *wrong =
      r.not_resumed ? r.not_resumed : result_difference(whole, &r);
  search_result_free(&r);
  if (wrong)
    fail_msg("%s, file %u, por %d", wrong, (unsigned)from, (int)m->por);
}

/* One thread with a disk is stopped at each of its moments, and one without goes
** on from its last files: also where a candidate is longer than all states before it, so
** that the store calls those that wait otherwise. */
static void moments_of(kit k, nut_por por, uint64_t files)
{
  manner m = {.stop_at = files, .por = por}, forever = {.por = por};
  kit_finish(&k);
  forever.stop_at = forever.batches = UINT64_MAX;
  search_result one = run_whole(&k, &forever);
  m.bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / 2;
  bool stopped = true;
  for (m.batches = 1; stopped && m.batches < 60; m.batches++) {
    uint64_t made = 0;
    drop_files();
    search_result r = run_leg(&k, &m, 1, NULL, &made, 0, &stopped);
    search_result_free(&r);
    for (uint64_t from = made; stopped && from && from + files > made; from--)
      end_from(&k, &forever, from, &one);
  }
  search_result_free(&one);
  kit_destroy(&k);
}

static void moments(void **state)
{
  (void)state;
  moments_of(make_family(6, false), NUT_POR_OFF, 2);
  moments_of(make_family(6, false), NUT_POR_STUBBORN, 1);
  moments_of(make_grid(3, 6, 0, 4), NUT_POR_OFF, 2);
}

static void disks(void **state)
{
  (void)state;
  disks_of(make_grid(3, 8, LOC_END, 0));
  disks_of(make_grid(4, 6, 0, 0));
  disks_of(make_grid(3, 9, 0, 4));
  disks_of(with_invariant(make_grid(3, 9, LOC_END, 0)));
  disks_of(with_invariant(make_grid(3, 8, 0, 7)));
  disks_of(make_family(6, false));
  assert_true(from_disk[false] > 0 && from_disk[true] > 0);
}

static void failing(void **state)
{
  (void)state;
  for (int por = 0; por < 2; por++) {
    kit k = make_grid(3, 6, 0, 4);
    kit_finish(&k);
    manner m = {.batches = 5, .por = por ? NUT_POR_STUBBORN : NUT_POR_OFF};
    const char *wrong = compare_failing(&k, &m);
    if (wrong)
      fail_msg("%s", wrong);
    kit_destroy(&k);
  }
}

/* From some file on all memory is refused to one thread, and the last file goes on.
** In how many legs some errors were found, but not all. */
static uint64_t refuse(kit *k, const manner *how)
{
  manner m = *how, forever = {.max_errors = how->max_errors};
  m.stop_at = forever.stop_at = forever.batches = UINT64_MAX;
  search_result one = run_whole(k, &forever);
  uint64_t within = 0;
  if (m.bytes)
    m.bytes = (one.stats.store_bytes + 8 * one.stats.frontier) / m.bytes;
  for (m.batches = 1; m.batches < 220; m.batches += 6) {
    uint64_t made = 0;
    bool stopped;
    drop_files();
    search_result r = run_leg(k, &m, 1, NULL, &made, 0, &stopped);
    within += r.stats.errors && r.stats.errors < one.stats.errors;
    search_result_free(&r);
    r = run_leg(k, &forever, 1, last_file(made), &made, 0, &stopped);
    const char *wrong =
        r.not_resumed ? r.not_resumed : result_difference(&one, &r);
    search_result_free(&r);
    if (wrong)
      fail_msg("%s, after %u batches", wrong, (unsigned)m.batches);
  }
  search_result_free(&one);
  return within;
}

/* A table is full in the middle of a level whose errors are the first ones, and
** nothing is left to note those of the cohort at hand with. */
static void refused(void **state)
{
  (void)state;
  kit k = with_sum(make_grid(4, 14, LOC_END, 0), 13);
  kit_finish(&k);
  assert_true(refuse(&k, &(manner){.max_errors = 1, .refuse_at = 1}) > 0);
  kit_destroy(&k);
}

/* With a disk a file takes memory as well, the first one most of all. */
static void refused_on_disk(void **state)
{
  (void)state;
  uint64_t within = 0;
  kit k = with_invariant(make_grid(3, 12, LOC_END, 0));
  kit_finish(&k);
  for (uint64_t i = 0; i < 4; i++)
    within += refuse(&k, &(manner){.bytes = 2 + 2 * i, .refuse_at = 1 + i % 2});
  assert_true(within > 0);
  kit_destroy(&k);
}

/* A leg ends in the middle of a round beside the walk, which is then done as a
** whole. */
static void cut_rounds(void **state)
{
  (void)state;
  kit k = make_rounds(3, 32, 4);
  kit_finish(&k);
  manner m = {.batches = UINT64_MAX,
              .stop_at = UINT64_MAX,
              .max_errors = 1,
              .infinite = true,
              .shallow = true};
  search_result one = run_whole(&k, &m);
  uint64_t ends = 0;
  assert_true(one.stats.shallow_states > 0);
  for (uint64_t looks = 306; looks < 323; looks++) {
    uint64_t made = 0;
    bool stopped;
    manner cut = m;
    drop_files();
    cut.looks = looks;
    search_result r = run_leg(&k, &cut, 1, NULL, &made, 0, &stopped);
    ends += r.reason == REASON_TIME_LIMIT;
    search_result_free(&r);
    r = run_leg(&k, &m, 1, last_file(made), &made, 0, &stopped);
    const char *wrong = result_difference(&one, &r);
    if (wrong)
      fail_msg("%s, after %llu looks", wrong, (unsigned long long)looks);
    search_result_free(&r);
  }
  assert_true(ends > 10);
  search_result_free(&one);
  kit_destroy(&k);
}

/* The same for infinite runs. */
static void failing_rounds(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    kit k = make_rounds(2, 4, 4 + i);
    kit_finish(&k);
    manner m = {.batches = 3, .infinite = true, .fair = (nut_fair)i};
    const char *wrong = compare_failing(&k, &m);
    if (wrong)
      fail_msg("%s, with fairness %u", wrong, i);
    kit_destroy(&k);
  }
}

/* ---- models of files --------------------------------------------------------- */

static uint64_t depth_for(kit *k, uint64_t states)
{
  uint64_t depth = 4;
  for (bool more = true; more && depth < 4096;) {
    manner m = {.depth = depth * 2, .count = true};
    search_result r = run_whole(k, &m);
    more = !r.complete && r.stats.states < states;
    depth *= more ? 2 : 1;
    search_result_free(&r);
  }
  return depth;
}

/* Some ways of each model, others of the next. */
static const char *compare(kit *k, uint64_t states, bool all)
{
  static unsigned turn;
  k->program = program_create(k->m, NULL, k->diags);
  if (!k->program)
    return "no program";
  if (program_hidden(k->program) || k->m->flags & MODEL_HAS_C)
    return NULL;
  uint64_t depth = depth_for(k, states);
  const char *wrong = NULL;
  for (unsigned i = 0; i < (all ? 6 : 2) && !wrong; i++, turn++) {
    manner m = {.batches = 1 + states / 400 + turn % 7,
                .stop_at = 1 + turn % 4,
                .max_errors = turn % 3 == 0,
                .depth = depth,
                .por = turn % 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .count = turn % 6 == 4};
    wrong = compare_legs(k, &m, turn % 5 == 0);
  }
  return wrong;
}

/* Infinite runs of a model, in some ways. */
static const char *compare_runs(kit *k, uint64_t states)
{
  static unsigned turn;
  k->program = program_create(k->m, NULL, k->diags);
  if (!k->program)
    return "no program";
  search_options o = search_defaults();
  o.asked.search = NUT_BFS;
  o.prefix = states;
  o.count = true;
  search_result r;
  search_run(k->program, &o, &r);
  bool is_large = r.stats.states >= states;
  search_result_free(&r);
  if (is_large || program_hidden(k->program) || k->m->flags & MODEL_HAS_C)
    return NULL;
  const char *wrong = NULL;
  for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG && !wrong;
       fair++, turn++) {
    manner m = {.batches = 1 + states / 400 + turn % 7,
                .stop_at = 1 + turn % 4,
                .max_errors = turn % 3 == 0,
                .por = turn % 2 ? NUT_POR_STUBBORN : NUT_POR_OFF,
                .infinite = true,
                .fair = fair};
    wrong = compare_legs(k, &m, turn % 5 == 0);
  }
  return wrong;
}

static int compare_models(int count, char **files, uint64_t states, char how)
{
  int failed = 0;
  make_folder();
  for (int i = 0; i < count; i++) {
    kit k;
    if (!kit_load(&k, files[i])) {
      printf("skip - %s\n", files[i]);
      kit_destroy(&k);
      continue;
    }
    const char *wrong =
        how == 'r' ? compare_runs(&k, states) : compare(&k, states, how == 'a');
    printf("%s - %s%s%s\n", wrong ? "not ok" : "ok", files[i],
           wrong ? ": " : "", wrong ? wrong : "");
    failed += wrong != NULL;
    kit_destroy(&k);
  }
  for (int i = 0; how == 'r' && i < ROW_PHASES_; i++)
    printf("# %llu in phase %d\n", (unsigned long long)phases[i], i);
  drop_files();
  rmdir(folder);
  return failed != 0;
}

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *where)
{
  (void)status, (void)kind, (void)where;
  return remove(path);
}

/* A test that failed may have left anything. */
static int tidy(void **state)
{
  (void)state;
  return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int prepare(void **state)
{
  (void)state;
  make_folder();
  return 0;
}

int main(int argc, char **argv)
{
  if (argc > 3 && argv[1][0] == '-')
    return compare_models(argc - 3, argv + 3, strtoull(argv[2], NULL, 10),
                          argv[1][2]);
  const struct CMUnitTest tests[] = {
      UNIT(legs),
      UNIT(dives),
      UNIT(disks),
      UNIT(moments),
      UNIT(rounds_on_disk),
      UNIT(failing),
      UNIT(rounds),
      UNIT(failing_rounds),
      UNIT(cut_rounds),
      UNIT(sweeps),
      UNIT(many_wait),
      UNIT(refused),
      UNIT(refused_on_disk),
  };
  return cmocka_run_group_tests(tests, prepare, tidy);
}
