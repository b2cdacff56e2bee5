/* Permanent names of states, and the search for a state by its name.
**
** A name is the beginning of a digest, so that nothing but a search leads from a
** name to its state, nearest states first. */

#include "api/state_search.h"
#include "base/system/usage.h"
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 32, NAME_LEAST = 10 };

/* ---- names -------------------------------------------------------------- */

static void find_name(nut_workspace *w, const uint8_t *state, uint32_t length)
{
  program_canonical(w->program, state, length, &w->canonical);
  sha256_text((const char *)w->canonical.data, w->canonical.len, w->name);
  w->name[NAME_LENGTH] = 0;
}

typedef struct naming {
  nut_workspace *workspace;
  nut_state state;
} naming;

static void do_name(void *what)
{
  naming *n = what;
  uint32_t length;
  const uint8_t *bytes = workspace_state(n->workspace, n->state, &length);
  if (bytes)
    find_name(n->workspace, bytes, length);
}

const char *nut_state_name(nut_workspace *w, nut_state s)
{
  naming n = {w, s};
  return workspace_do(w, do_name, &n) ? w->name : NULL;
}

/* ---- the search --------------------------------------------------------- */

/* A beginning may fit several states: after the first the search goes on among
** as many states again ten times over, and at least among these. */
enum { OTHERS_LEAST = 1000000, OTHERS_TIMES = 10 };

typedef struct name_search {
  state_search search;
  const char *beginning;
  size_t length;
  uint32_t found; /* 0: none */
  char first[SHA256_TEXT], second[SHA256_TEXT];
  uint32_t seen; /* states, when the first was found */
} name_search;

static bool is_name(const char *s)
{
  size_t n = strlen(s);
  return n >= NAME_LEAST && n <= NAME_LENGTH &&
         strspn(s, "0123456789abcdef") == n;
}

/* The rest of the search gets half of the time that is left: what was found is
** to be told. */
static void look_for_others(name_search *n)
{
  limits *l = &n->search.workspace->model->limits;
  size_t most = (size_t)n->found * OTHERS_TIMES;
  n->search.most = most > OTHERS_LEAST ? most : OTHERS_LEAST;
  if (l->deadline > 0)
    limits_begin_turn(l, (l->deadline - usage_seconds()) / 2);
}

static bool look(void *context, uint32_t number, const uint8_t *bytes,
                 uint32_t length)
{
  name_search *n = context;
  const char *name = n->search.workspace->name;
  find_name(n->search.workspace, bytes, length);
  if (strncmp(name, n->beginning, n->length) != 0)
    return false;
  if (!n->found) {
    n->found = number;
    snprintf(n->first, sizeof n->first, "%s", name);
    look_for_others(n);
    return n->length == NAME_LENGTH;
  }
  if (!strcmp(name, n->first)) /* they differ in what has no name, as '_' */
    return false;
  snprintf(n->second, sizeof n->second, "%s", name);
  return true;
}

static void do_find(void *what)
{
  name_search *n = what;
  nut_workspace *w = n->search.workspace;
  const batch *b = &w->next.batch;
  if (workspace_initial(w, &w->next.batch))
    state_search_run(&n->search, b->bytes.data + b->list.data[0].start,
                     b->list.data[0].length);
}

/* What is to be said of the search when it has ended; whether a walk can be
** made. */
static bool judge(const name_search *n, bool done)
{
  nut_workspace *w = n->search.workspace;
  if (n->second[0])
    workspace_refuse(w, NUT_ERROR, "%s and %s begin so", n->first, n->second);
  else if (done && !n->found)
    workspace_refuse(w, NUT_VIOLATED, "no state of the model has this name");
  else if (!done && n->found && limits_interrupted(&w->model->limits))
    workspace_refuse(w, NUT_UNKNOWN, "interrupted; %s begins so", n->first);
  else
    return n->found;
  w->reason = NULL;
  return false;
}

static void tell_unsure(name_search *n)
{
  nut_workspace *w = n->search.workspace;
  workspace_refuse(w, NUT_UNKNOWN,
                   "of the names of %u states this one alone begins so; there "
                   "may be more states",
                   n->seen);
}

nut_walk *nut_walk_find(nut_workspace *w, const char *beginning)
{
  name_search n = {.beginning = beginning, .length = strlen(beginning)};
  n.search = (state_search){.workspace = w, .look = look, .context = &n};
  if (!is_name(beginning)) {
    workspace_refuse(w, NUT_ERROR,
                     "a name of a state has %d to %d of the digits 0-9, a-f",
                     NAME_LEAST, NAME_LENGTH);
    w->reason = NULL;
    return NULL;
  }
  bool done = workspace_do(w, do_find, &n);
  if (n.found)
    limits_end_turn(&w->model->limits);
  n.seen = numbering_count(&n.search.states);
  bool sure = n.search.complete || n.length == NAME_LENGTH;
  nut_walk *walk = judge(&n, done) ? nut_walk_start(w) : NULL;
  if (walk && !state_search_go(&n.search, walk, n.found)) {
    nut_walk_free(walk);
    walk = NULL;
  }
  state_search_free(&n.search);
  if (walk && !sure)
    tell_unsure(&n);
  return walk;
}
