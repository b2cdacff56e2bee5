/* Until when an error can be avoided, compared with a fixed point over all states
** that knows nothing of the search: a state can avoid it when a run may end there,
** or when a step that does not fail leads to one that can.  That folded steps do
** not matter is proved by the program itself; here it is shown that some are
** folded. */

#include "unit.h"

#include "nutshell.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATES_MOST = 1000, STEPS_MOST = 20000 };

static bool explores_all(nut_workspace *w)
{
  size_t n;
  for (nut_state s = nut_initial(w); s && s <= nut_state_count(w); s++) {
    (void)nut_moves(w, s, &n);
    if (nut_outcome(w) != NUT_HOLDS || nut_state_count(w) > STATES_MOST)
      return false;
  }
  return nut_state_count(w) > 0;
}

static bool may_end(nut_workspace *w, nut_state s, bool deadlock)
{
  size_t n;
  (void)nut_moves(w, s, &n);
  if (n)
    return false;
  const nut_process *p = nut_processes(w, s, &n);
  for (size_t i = 0; deadlock && i < n; i++)
    if (!p[i].end)
      return false;
  return true;
}

/* All steps that do not fail. */
typedef struct good_steps {
  nut_state from[STEPS_MOST], to[STEPS_MOST];
  size_t count;
} good_steps;

static void list_steps(nut_workspace *w, good_steps *g)
{
  size_t n;
  g->count = 0;
  for (nut_state s = 1; s <= nut_state_count(w); s++) {
    const nut_move *m = nut_moves(w, s, &n);
    for (size_t i = 0; i < n && g->count < STEPS_MOST; i++)
      if (m[i].target && !m[i].fault) {
        g->from[g->count] = s;
        g->to[g->count++] = m[i].target;
      }
  }
}

/* The greatest set of states that stay in it, or may end. */
static bool *find_avoiding(nut_workspace *w, bool deadlock)
{
  static good_steps steps;
  size_t count = nut_state_count(w), left = count, before;
  bool *in = calloc(2 * (count + 1), sizeof *in), *ends = in + count + 1;
  list_steps(w, &steps);
  for (nut_state s = 1; s <= count; s++)
    in[s] = true, ends[s] = may_end(w, s, deadlock);
  do {
    bool *stays = calloc(count + 1, sizeof *stays);
    before = left;
    left = 0;
    for (size_t i = 0; i < steps.count; i++)
      stays[steps.from[i]] |= in[steps.to[i]];
    for (nut_state s = 1; s <= count; s++)
      left += in[s] = in[s] && (stays[s] || ends[s]);
    free(stays);
  } while (left < before);
  return in;
}

/* Walks along the trace; the number of the last step before the end after which
** the error can be avoided, or -1. */
static long last_avoiding(nut_workspace *w, const nut_trace *t, bool deadlock)
{
  bool *in = find_avoiding(w, deadlock);
  nut_walk *walk = nut_walk_follow(w, t);
  long number = 0, last = -1;
  assert_non_null(walk);
  for (size_t i = 0; i <= nut_trace_length(t); i++) {
    if (i)
      number +=
          nut_trace_step(t, i - 1).shown && !nut_trace_step(t, i - 1).inner;
    nut_state s = nut_walk_state(walk, i);
    bool is_error = deadlock && i == nut_trace_length(t);
    if (s && in[s] && !is_error)
      last = number;
  }
  nut_walk_free(walk);
  free(in);
  return last;
}

static size_t explained, folded;

static void compare_property(nut_workspace *w, nut_result *r, size_t i,
                             const char *file)
{
  nut_property p = nut_result_property(r, i);
  bool deadlock = !strcmp(p.kind, "end-states");
  nut_explanation e = nut_result_explanation(r, i);
  if (p.verdict != NUT_VIOLATED || !p.trace ||
      (!deadlock && strcmp(p.kind, "assertions") && strcmp(p.kind, "bounds")))
    return;
  assert_true(e.explained);
  folded += e.folded > 0;
  if (e.not_known)
    return;
  long wanted = last_avoiding(w, p.trace, deadlock);
  if (wanted != e.avoidable_until)
    fail_msg("%s, %s: avoidable until step %ld, not %ld", file, p.name, wanted,
             e.avoidable_until);
  explained++;
}

/* Observers of events may make an end invalid that is none of the processes'. */
static bool has_trace(nut_model *m)
{
  nut_source s = nut_model_source(m, 0);
  return s.text && strstr(s.text, "trace");
}

static void compare(const char *file)
{
  nut_workspace *w = nut_open_file(file, NULL);
  nut_model *m = nut_workspace_model(w);
  if (nut_model_good(m) && !has_trace(m) && explores_all(w)) {
    nut_options o = nut_default_options();
    o.explain = true;
    o.max_errors = 0;
    o.liveness = false;
    nut_result *r = nut_check(nut_workspace_model(w), &o);
    for (size_t i = 0; i < nut_result_property_count(r); i++)
      compare_property(w, r, i, file);
    nut_result_free(r);
  }
  nut_close(w);
}

static void for_all(const char *pattern)
{
  char path[512];
  glob_t found;
  snprintf(path, sizeof path, "%s/%s", NUT_SOURCE_ROOT, pattern);
  if (glob(path, 0, NULL, &found))
    return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    compare(found.gl_pathv[i]);
  globfree(&found);
}

static void avoidance(void **state)
{
  (void)state;
  for_all("examples/promela/*.pml");
  for_all("tests/promela/*.pml");
  for_all("tests/cli/models/[b-z]*.pml");
  for_all("tests/dve/*.dve");
  for_all("examples/dve/*.dve");
  assert_true(explained >= 30);
  assert_true(folded >= 3);
}

UNIT_MAIN(UNIT(avoidance))
