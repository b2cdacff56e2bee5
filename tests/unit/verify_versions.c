/* Two versions of small random programs, compared with a naive enumeration: all
** sequences of what is seen up to some length, with the marks 'ends' and
** 'diverges', are listed as texts, and the lists compared. */

#include "unit.h"

#include "base/random.h"
#include "nutshell.h"
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 250, CHANGES = 5, TEXTS = 60000, STATES = 400 };

/* ---- random programs ---------------------------------------------------- */

static void add_statement(random_state *r, char *to, size_t room)
{
  static const char *const list[] = {
      "x = 1",          "x = 0", "y = 1 - y", "h = 1 - h",   "x == y",
      "h -> y = 1",     "skip",  "c!1",       "c?_",         "x = 1 - x",
      "assert(x == y)", "h = 0", "y = 0",     "c?1 -> x = 1"};
  size_t n = sizeof list / sizeof *list;
  snprintf(to, room, "%s", list[random_below(r, n)]);
}

typedef struct source {
  char statements[6][32];
  bool loops;
} source;

static void write_program(const source *s, char *to, size_t room)
{
  snprintf(to, room,
           "bit x, y;\nbit h;\nchan c = [1] of { bit };\n"
           "active proctype P() { do :: %s; %s :: %s %s }\n"
           "active proctype Q() { %s; if :: %s :: skip fi; %s }\n",
           s->statements[0], s->statements[1], s->statements[2],
           s->loops ? "od" : "-> break od", s->statements[3], s->statements[4],
           s->statements[5]);
}

/* ---- the naive comparison ----------------------------------------------- */

typedef struct texts {
  char *list[TEXTS];
  size_t count;
  bool full;
} texts;

static int compare_texts(const void *x, const void *y)
{
  return strcmp(*(char *const *)x, *(char *const *)y);
}

static void add_text(texts *t, const char *one)
{
  if (t->count == TEXTS)
    t->full = true;
  else
    t->list[t->count++] = strdup(one);
}

/* Sorted, each once. */
static void tidy_texts(texts *t)
{
  size_t kept = 0;
  qsort(t->list, t->count, sizeof *t->list, compare_texts);
  for (size_t i = 0; i < t->count; i++)
    if (kept && !strcmp(t->list[kept - 1], t->list[i]))
      free(t->list[i]);
    else
      t->list[kept++] = t->list[i];
  t->count = kept;
}

static void free_texts(texts *t)
{
  for (size_t i = 0; i < t->count; i++)
    free(t->list[i]);
  t->count = 0;
}

/* What is seen of a state: one character for all of it. */
static char look_of(nut_workspace *w, nut_state s)
{
  int32_t x = 0, y = 0, n = 0, m = 0;
  assert_true(nut_evaluate(w, s, "x", &x) && nut_evaluate(w, s, "y", &y) &&
              nut_evaluate(w, s, "len(c)", &n));
  if (n)
    assert_true(nut_evaluate(w, s, "c?[1]", &m));
  return (char)('A' + x + 2 * y + 4 * n + 8 * m);
}

typedef struct graph {
  uint32_t from[4 * STATES], to[4 * STATES];
  bool fails[4 * STATES];
  size_t steps;
  char looks[STATES + 1];
  bool ends[STATES + 1], silent[STATES + 1][STATES + 1];
  size_t states;
} graph;

static bool make_graph(nut_workspace *w, graph *g)
{
  memset(g, 0, sizeof *g);
  for (nut_state s = nut_initial(w); s <= nut_state_count(w); s++) {
    size_t n;
    const nut_move *m = nut_moves(w, s, &n);
    g->ends[s] = n == 0;
    for (size_t i = 0; i < n; i++) {
      for (int fails = 0; fails < 2; fails++) {
        if (fails ? !m[i].fault : !m[i].target)
          continue;
        g->from[g->steps] = s;
        g->to[g->steps] = fails ? 0 : m[i].target;
        g->fails[g->steps++] = fails;
      }
      if (g->steps + 2 >= 4 * STATES)
        return false;
    }
    if (nut_state_count(w) >= STATES)
      return false;
  }
  g->states = nut_state_count(w);
  for (nut_state s = 1; s <= g->states; s++)
    g->looks[s] = look_of(w, s);
  return true;
}

/* Which states silent steps lead to from which, by Warshall's algorithm. */
static void close_graph(graph *g)
{
  for (size_t i = 0; i < g->steps; i++)
    if (!g->fails[i] && g->looks[g->from[i]] == g->looks[g->to[i]])
      g->silent[g->from[i]][g->to[i]] = true;
  for (size_t k = 1; k <= g->states; k++)
    for (size_t a = 1; a <= g->states; a++)
      for (size_t b = 1; g->silent[a][k] && b <= g->states; b++)
        g->silent[a][b] |= g->silent[k][b];
}

static void list_from(const graph *g, uint32_t state, char *text, size_t length,
                      texts *out)
{
  if (out->full)
    return;
  text[length] = 0;
  add_text(out, text);
  for (uint32_t s = 1; s <= g->states; s++) {
    if (s != state && !g->silent[state][s])
      continue;
    text[length + 1] = 0;
    text[length] = '$';
    if (g->ends[s])
      add_text(out, text);
    text[length] = '~';
    if (g->silent[s][s])
      add_text(out, text);
    for (size_t i = 0; i < g->steps && length <= CHANGES; i++) {
      if (g->from[i] != s)
        continue;
      if (g->fails[i]) {
        text[length] = '!';
        text[length + 1] = 0;
        add_text(out, text);
      } else if (g->looks[g->to[i]] != g->looks[s]) {
        text[length] = g->looks[g->to[i]];
        list_from(g, g->to[i], text, length + 1, out);
      }
    }
  }
}

static bool list_all(nut_workspace *w, texts *out)
{
  static graph g;
  char text[CHANGES + 8] = {0};
  out->full = false;
  if (!make_graph(w, &g))
    return false;
  close_graph(&g);
  text[0] = g.looks[1];
  list_from(&g, 1, text, 1, out);
  tidy_texts(out);
  return !out->full;
}

/* How many changes a text shows; a failure is one. */
static size_t changes_of(const char *text)
{
  size_t n = strlen(text);
  return n - 1 - (text[n - 1] == '$' || text[n - 1] == '~');
}

/* The fewest changes of a text that one has and the other has not; SIZE_MAX:
** there is none.  Of texts that are not complete nothing is said. */
static size_t first_missing(const texts *a, const texts *b)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < a->count; i++)
    if (changes_of(a->list[i]) <= CHANGES &&
        !bsearch(&a->list[i], b->list, b->count, sizeof *b->list,
                 compare_texts) &&
        changes_of(a->list[i]) < best)
      best = changes_of(a->list[i]);
  return best;
}

/* ---- both --------------------------------------------------------------- */

static size_t same, different;

static void compare(nut_workspace *w[2], bool spec, const char *text)
{
  static texts list[2];
  nut_diff_options o = {.observe = (const char *const[]){"x", "y", "c"},
                        .observe_count = 3,
                        .spec = spec};
  if (list_all(w[0], &list[0]) && list_all(w[1], &list[1])) {
    size_t more = first_missing(&list[1], &list[0]);
    size_t less = spec ? SIZE_MAX : first_missing(&list[0], &list[1]);
    size_t wanted = more < less ? more : less, changes = 0;
    const char *kind = NULL;
    int only = 0;
    nut_diff *d = nut_compare(w[0], w[1], &o);
    nut_verdict v = nut_diff_verdict(d);
    const nut_trace *t = nut_diff_trace(d, &only, &kind, &changes);
    if (wanted != SIZE_MAX && (v != NUT_VIOLATED || changes != wanted))
      fail_msg("%zu changes, not %zu:\n%s", wanted, changes, text);
    if (wanted == SIZE_MAX && v == NUT_VIOLATED && changes <= CHANGES)
      fail_msg("not different after %zu changes:\n%s", changes, text);
    assert_true(v == NUT_HOLDS || v == NUT_VIOLATED);
    assert_true(v == NUT_HOLDS || t);
    same += v == NUT_HOLDS;
    different += v == NUT_VIOLATED;
    nut_diff_free(d);
  }
  free_texts(&list[0]);
  free_texts(&list[1]);
}

static void random_pairs(void **state)
{
  random_state r;
  (void)state;
  random_seed(&r, 11);
  for (int i = 0; i < PAIRS; i++) {
    source s = {.loops = random_below(&r, 2)};
    char text[2][1000], both[2001];
    nut_workspace *w[2];
    for (size_t k = 0; k < 6; k++)
      add_statement(&r, s.statements[k], sizeof s.statements[k]);
    write_program(&s, text[0], sizeof text[0]);
    if (random_below(&r, 4))
      add_statement(&r, s.statements[random_below(&r, 6)],
                    sizeof s.statements[0]);
    write_program(&s, text[1], sizeof text[1]);
    snprintf(both, sizeof both, "%s%s", text[0], text[1]);
    for (int k = 0; k < 2; k++)
      w[k] = nut_open_text(k ? "new" : "old", text[k], strlen(text[k]), NULL);
    if (nut_model_good(nut_workspace_model(w[0])) &&
        nut_model_good(nut_workspace_model(w[1])))
      compare(w, i % 3 == 0, both);
    nut_close(w[1]);
    nut_close(w[0]);
  }
  assert_true(same >= 20 && different >= 40);
}

UNIT_MAIN(UNIT(random_pairs))
