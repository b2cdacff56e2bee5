/* Models of all languages walked through the public header alone: all states of
** small ones, as many as 'nut_count' finds; and runs by chance, whose states and
** steps are those of the states they pass. */

#include "unit.h"

#include "base/random.h"
#include "nutshell.h"
#include <glob.h>
#include <stdio.h>

enum { STATES_MOST = 20000, STEPS = 60 };

typedef struct walked {
  uint64_t states, transitions;
  bool complete;
} walked;

/* States are numbered in the order in which they are found. */
static walked walk_all(nut_workspace *w)
{
  walked all = {.complete = true};
  for (nut_state s = nut_initial(w); s && s <= nut_state_count(w); s++) {
    size_t n;
    const nut_move *m = nut_moves(w, s, &n);
    assert_int_equal(nut_outcome(w), NUT_HOLDS);
    for (size_t i = 0; i < n; i++) {
      assert_true(m[i].target || m[i].fault);
      all.transitions += m[i].target != 0;
    }
    if (nut_state_count(w) > STATES_MOST) {
      all.complete = false;
      break;
    }
  }
  all.states = nut_state_count(w);
  return all;
}

/* A place of the source, and how often something was executed there. */
typedef struct tally {
  nut_place at;
  uint64_t count;
  bool fails; /* a step fails there, perhaps before it is made */
} tally;

enum { TALLIES = 4000 };

static tally *tally_at(tally *list, size_t *count, const nut_place *at)
{
  for (size_t i = 0; i < *count; i++)
    if (list[i].at.line == at->line && list[i].at.column == at->column &&
        !strcmp(list[i].at.file, at->file))
      return &list[i];
  if (*count == TALLIES)
    return NULL;
  list[*count] = (tally){.at = *at};
  return &list[(*count)++];
}

/* Sequences of steps are one move, and what is met has a statement of its own:
** models with those are not compared. */
static bool has_single_steps(nut_model *m)
{
  nut_source s = nut_model_source(m, 0);
  static const char *const words[] = {"atomic", "d_step",   "[0]",    "sync",
                                      "commit", "priority", "include"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!s.text || strstr(s.text, words[i]))
      return false;
  return !strcmp(nut_model_language(m), "promela") ||
         !strcmp(nut_model_language(m), "dve");
}

/* What a search counts for each statement are the moves that begin with it. */
static bool compare_coverage(nut_workspace *w, const char *file)
{
  static tally list[TALLIES];
  size_t tallies = 0, n;
  tally *t;
  nut_options o = nut_default_options();
  o.coverage = true;
  nut_result *r = nut_count(nut_workspace_model(w), &o);
  const nut_coverage *c = nut_result_coverage(r, &n);
  assert_true(n == 0 || c != NULL);
  for (size_t i = 0; i < n; i++)
    if (c[i].at.file && (t = tally_at(list, &tallies, &c[i].at)))
      t->count += c[i].count;
  for (nut_state s = 1; s <= nut_state_count(w); s++) {
    const nut_move *m = nut_moves(w, s, &n);
    for (size_t i = 0; i < n; i++)
      if (m[i].at.file && (t = tally_at(list, &tallies, &m[i].at)))
        t->count--, t->fails |= !m[i].target;
  }
  for (size_t i = 0; i < tallies; i++)
    if (list[i].count && !list[i].fails)
      fail_msg("%s:%u:%u: %lld too many", file, list[i].at.line,
               list[i].at.column, (long long)list[i].count);
  nut_result_free(r);
  return tallies > 0;
}

static bool is_spin_like(nut_model *m)
{
  return !strcmp(nut_model_language(m), "promela");
}

static size_t covered; /* models whose coverage was compared */

static bool compare_with_count(const char *file)
{
  nut_workspace *w = nut_open_file(file, NULL);
  nut_model *m = nut_workspace_model(w);
  bool compared = false;
  walked all = nut_model_good(m) ? walk_all(w) : (walked){0};
  if (all.complete && all.states) {
    nut_options o = nut_default_options();
    o.engine = NUT_ENGINE_INTERPRETED;
    nut_result *r = nut_count(m, &o);
    nut_figures f = nut_result_figures(r);
    /* In SPIN's way of counting, to begin is a transition. */
    uint64_t transitions = all.transitions + (is_spin_like(m) ? 1 : 0);
    if (f.states != all.states || f.transitions != transitions)
      fail_msg("%s: %llu states, %llu transitions; walked %llu, %llu", file,
               (unsigned long long)f.states, (unsigned long long)f.transitions,
               (unsigned long long)all.states, (unsigned long long)transitions);
    nut_result_free(r);
    compared = true;
    covered += has_single_steps(m) && compare_coverage(w, file);
  }
  nut_close(w);
  return compared;
}

/* A run is where the moves of its states lead to. */
static void walk_by_chance(const char *file)
{
  nut_workspace *w = nut_open_file(file, NULL);
  nut_walk *r =
      nut_model_good(nut_workspace_model(w)) ? nut_walk_start(w) : NULL;
  random_state chance;
  random_seed(&chance, 7);
  for (int i = 0; r && i < STEPS && nut_walk_choices(r); i++) {
    size_t count = nut_walk_choices(r), n;
    size_t chosen = random_below(&chance, count);
    nut_state before = nut_walk_state(r, nut_walk_length(r));
    assert_int_not_equal(before, 0);
    nut_move taken = nut_walk_choice(r, chosen);
    uint32_t edge = taken.edge, process = taken.process;
    const nut_move *m = nut_moves(w, before, &n);
    assert_int_equal(n, count);
    assert_int_equal(m[chosen].edge, edge);
    assert_int_equal(m[chosen].process, process);
    nut_state target = m[chosen].target;
    bool fails = m[chosen].fault;
    assert_true(nut_walk_take(r, chosen));
    if (!fails)
      assert_int_equal(nut_walk_state(r, nut_walk_length(r)), target);
    else
      assert_int_equal(nut_walk_choices(r), 0);
  }
  nut_walk_free(r);
  nut_close(w);
}

static size_t for_all(const char *pattern)
{
  char path[512];
  glob_t found;
  size_t compared = 0;
  snprintf(path, sizeof path, "%s/%s", NUT_SOURCE_ROOT, pattern);
  if (glob(path, 0, NULL, &found))
    return 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    compared += compare_with_count(found.gl_pathv[i]);
    walk_by_chance(found.gl_pathv[i]);
  }
  globfree(&found);
  return compared;
}

static void promela(void **state)
{
  (void)state;
  assert_true(for_all("examples/promela/*.pml") >= 8);
  assert_true(for_all("tests/promela/[a-e]*.pml") >= 20);
  assert_true(covered >= 4);
}

static void other_languages(void **state)
{
  (void)state;
  assert_true(for_all("examples/dve/*.dve") >= 2);
  assert_true(for_all("examples/gaston/*.gst") >= 2);
  assert_true(for_all("examples/pnml/*.pnml") >= 1);
  assert_true(for_all("tests/lpn/*.lpn") >= 3);
  assert_true(for_all("tests/lpn/*.g") >= 3);
}

UNIT_MAIN(UNIT(promela), UNIT(other_languages))
