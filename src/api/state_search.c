/* Breadth-first over the interpreter: the numbering is the queue. */

#include "api/state_search.h"
#include "base/alloc.h"

/* Numbers a state unless it has a number, and has it looked at. */
static void meet(state_search *s, uint32_t from, const uint8_t *bytes,
                 uint32_t length)
{
  uint32_t number = numbering_add(&s->states, bytes, length);
  if (number <= s->from.len)
    return;
  vec_push(&s->from, from);
  s->stopped = s->look(s->context, number, bytes, length) || s->stopped;
}

static bool expand(state_search *s, uint32_t number)
{
  nut_workspace *w = s->workspace;
  uint32_t length;
  const uint8_t *bytes = numbering_get(&s->states, number, &length);
  if (limits_poll(&w->model->limits) ||
      !workspace_look(w, bytes, length, &w->next))
    return workspace_stop(w);
  const batch *b = &w->next.batch;
  for (size_t i = 0; i < b->list.len && !s->stopped; i++)
    meet(s, number, b->bytes.data + b->list.data[i].start,
         b->list.data[i].length);
  return true;
}

void state_search_run(state_search *s, const uint8_t *start, uint32_t length)
{
  uint32_t next = 1;
  meet(s, 0, start, length);
  while (!s->stopped && next <= s->from.len) {
    if ((s->most && s->from.len > s->most) || !expand(s, next++))
      return;
  }
  s->complete = !s->stopped;
}

void state_search_free(state_search *s)
{
  mem_budget *outer = limits_enter(&s->workspace->model->limits);
  numbering_free(&s->states);
  vec_free(&s->from);
  limits_leave(outer);
}

/* ---- the way ------------------------------------------------------------ */

/* The states on the way to one, without the first. */
typedef struct way {
  nut_walk *walk;
  VEC(uint8_t) bytes;
  VEC(size_t) ends;
  bool made;
} way;

static void find_way(const state_search *s, uint32_t number, way *w)
{
  VEC(uint32_t) back = {0};
  for (uint32_t n = number; s->from.data[n - 1]; n = s->from.data[n - 1])
    vec_push(&back, n);
  for (size_t i = back.len; i-- > 0;) {
    uint32_t length;
    const uint8_t *bytes = numbering_get(&s->states, back.data[i], &length);
    for (uint32_t k = 0; k < length; k++)
      vec_push(&w->bytes, bytes[k]);
    vec_push(&w->ends, w->bytes.len);
  }
  vec_free(&back);
}

static void do_go(void *what)
{
  way *w = what;
  size_t start = 0;
  for (size_t i = 0; i < w->ends.len; i++) {
    size_t end = w->ends.data[i];
    if (!walk_take_to(w->walk, w->bytes.data + start, (uint32_t)(end - start)))
      return;
    start = end;
  }
  w->made = true;
}

/* The way is written down first, when nothing is refused: memory may be what
** ended the search. */
bool state_search_go(state_search *s, nut_walk *walk, uint32_t number)
{
  nut_workspace *w = s->workspace;
  way there = {.walk = walk};
  mem_budget *outer = limits_enter(&w->model->limits);
  find_way(s, number, &there);
  limits_leave(outer);
  state_search_free(s);
  bool done = workspace_do(w, do_go, &there);
  outer = limits_enter(&w->model->limits);
  vec_free(&there.bytes);
  vec_free(&there.ends);
  limits_leave(outer);
  return done && there.made;
}

/* ---- until something is true -------------------------------------------- */

typedef struct goal {
  state_search search;
  const char *expression;
  nut_state start;
  uint32_t found;
  const expr *wanted;
} goal;

static bool is_true(void *context, uint32_t number, const uint8_t *bytes,
                    uint32_t length)
{
  goal *g = context;
  fault_kind failed = FAULT_NONE;
  if (program_evaluate(g->search.workspace->worker, g->wanted, bytes, length,
                       &failed) &&
      !failed)
    g->found = number;
  return g->found;
}

static void do_reach(void *what)
{
  goal *g = what;
  nut_workspace *w = g->search.workspace;
  uint32_t length;
  const uint8_t *bytes = workspace_state(w, g->start, &length);
  g->wanted = bytes ? workspace_expression(w, g->expression) : NULL;
  if (!g->wanted)
    return;
  state_search_run(&g->search, bytes, length);
  if (g->search.complete)
    workspace_refuse(w, NUT_VIOLATED, "no state from here on makes it true");
}

bool nut_walk_reach(nut_walk *walk, const char *expression)
{
  nut_workspace *w = walk_workspace(walk);
  goal g = {.expression = expression,
            .start = nut_walk_state(walk, nut_walk_length(walk))};
  g.search = (state_search){.workspace = w, .look = is_true, .context = &g};
  bool reached = g.start && workspace_do(w, do_reach, &g);
  if (!g.start || (reached && g.found > 1 && !nut_walk_choices(walk))) {
    workspace_refuse(w, NUT_VIOLATED, "the run cannot go on");
    reached = false;
  }
  reached = reached && state_search_go(&g.search, walk, g.found);
  state_search_free(&g.search);
  return reached;
}
