/* Permanent names of states, and the search for a state by its name.
**
** A name is the beginning of a digest, so that nothing but a search leads from a
** name to its state: breadth-first, over the states that the workspace has
** numbers for anyway. */

#include "api/workspace.h"
#include "base/alloc.h"
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

typedef struct name_search {
  nut_workspace *workspace;
  const char *beginning;
  size_t length;
  VEC(nut_state) queue;
  VEC(nut_state) from; /* by state: the one before it; 0: not seen */
  nut_state found;
  nut_walk *walk;
} name_search;

static bool is_name(const char *s)
{
  size_t n = strlen(s);
  return n >= NAME_LEAST && n <= NAME_LENGTH &&
         strspn(s, "0123456789abcdef") == n;
}

/* Puts a state at the end of the queue unless it was there. */
static void meet(name_search *n, nut_state from, const uint8_t *bytes,
                 uint32_t length)
{
  nut_workspace *w = n->workspace;
  nut_state s = workspace_add_state(w, bytes, length);
  while (n->from.len <= s)
    vec_push(&n->from, 0);
  if (n->from.data[s])
    return;
  n->from.data[s] = from;
  vec_push(&n->queue, s);
  find_name(w, bytes, length);
  if (!strncmp(w->name, n->beginning, n->length))
    n->found = s;
}

static bool expand(name_search *n, nut_state s)
{
  nut_workspace *w = n->workspace;
  uint32_t length;
  const uint8_t *bytes = workspace_state(w, s, &length);
  if (limits_poll(&w->model->limits) ||
      !workspace_look(w, bytes, length, &w->next))
    return workspace_stop(w);
  for (size_t i = 0; i < w->next.batch.list.len && !n->found; i++) {
    const successor *to = &w->next.batch.list.data[i];
    meet(n, s, w->next.batch.bytes.data + to->start, to->length);
  }
  return true;
}

static void do_find(void *what)
{
  name_search *n = what;
  nut_workspace *w = n->workspace;
  batch *b = &w->next.batch;
  if (!workspace_initial(w, b))
    return;
  meet(n, UINT32_MAX, b->bytes.data + b->list.data[0].start,
       b->list.data[0].length);
  for (size_t i = 0; i < n->queue.len && !n->found; i++)
    if (!expand(n, n->queue.data[i]))
      return;
  if (!n->found)
    workspace_refuse(w, NUT_VIOLATED, "no state of the model has this name");
}

/* Walks along the states that lead to the one that was found. */
static void do_walk_there(void *what)
{
  name_search *n = what;
  nut_workspace *w = n->workspace;
  uint32_t length;
  VEC(nut_state) way = {0};
  for (nut_state s = n->found; n->from.data[s] != UINT32_MAX;
       s = n->from.data[s])
    vec_push(&way, s);
  for (size_t i = way.len; i-- > 0;) {
    const uint8_t *bytes = workspace_state(w, way.data[i], &length);
    if (!walk_take_to(n->walk, bytes, length))
      break;
  }
  vec_free(&way);
}

nut_walk *nut_walk_find(nut_workspace *w, const char *beginning)
{
  name_search n = {
      .workspace = w, .beginning = beginning, .length = strlen(beginning)};
  if (!is_name(beginning)) {
    workspace_refuse(w, NUT_ERROR,
                     "a name of a state has %d to %d of the digits 0-9, a-f",
                     NAME_LEAST, NAME_LENGTH);
    w->reason = NULL;
    return NULL;
  }
  bool found = workspace_do(w, do_find, &n) && n.found;
  if (found && (n.walk = nut_walk_start(w)) &&
      !workspace_do(w, do_walk_there, &n)) {
    nut_walk_free(n.walk);
    n.walk = NULL;
  }
  mem_budget *outer = limits_enter(&w->model->limits);
  vec_free(&n.queue);
  vec_free(&n.from);
  limits_leave(outer);
  return n.walk;
}
