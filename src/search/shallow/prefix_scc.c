/* Strongly connected components of the first states of a product (prefix.h),
** after Tarjan, "Depth-first search and linear graph algorithms" (1972). */

#include "search/shallow/prefix.h"

#include "base/alloc.h"

#define FINISHED UINT32_MAX /* 'met' of a state whose component is known */

void prefix_free(prefix *p)
{
  vec_free(&p->first_steps);
  vec_free(&p->steps);
  vec_free(&p->enabled);
  vec_free(&p->met);
  vec_free(&p->earliest);
  vec_free(&p->waiting);
  vec_free(&p->path);
  vec_free(&p->next);
}

/* What the steps of a state that stay among the waiting ones from 'first' on
** give: those were met last. */
static bool add_gains(const live *l, const prefix *p, uint32_t state,
                      uint32_t first, gains *all)
{
  static const process_set nobody;
  bool loops = false;
  for (size_t i = p->first_steps.data[state];
       i < p->first_steps.data[state + 1]; i++) {
    const prefix_step *s = p->steps.data + i;
    uint32_t met = p->met.data[s->target];
    if (met < first || met == FINISHED)
      continue;
    product_edge e = {.movers = s->movers, .marks = s->marks};
    gains gain =
        scc_gain(l, &e, p->enabled.len ? &p->enabled.data[state] : &nobody);
    gains_add(all, &gain);
    loops = true;
  }
  return loops;
}

/* The component whose first state is 'root' is finished. */
static bool finish(const live *l, prefix *p, uint32_t root)
{
  gains wanted = scc_all(l), have = {0};
  bool loops = false;
  uint32_t first = p->met.data[root];
  size_t start = p->waiting.len;
  while (p->waiting.data[--start] != root)
    ;
  for (size_t i = start; i < p->waiting.len; i++)
    loops |= add_gains(l, p, p->waiting.data[i], first, &have);
  for (size_t i = start; i < p->waiting.len; i++)
    p->met.data[p->waiting.data[i]] = FINISHED;
  p->waiting.len = start;
  gains_remove(&wanted, &have);
  return loops && gains_empty(&wanted);
}

static void enter(prefix *p, uint32_t state, uint32_t *clock)
{
  p->met.data[state] = p->earliest.data[state] = ++*clock;
  vec_push(&p->waiting, state);
  vec_push(&p->path, state);
  vec_push(&p->next, p->first_steps.data[state]);
}

static void lower(prefix *p, uint32_t state, uint32_t value)
{
  if (p->earliest.data[state] > value)
    p->earliest.data[state] = value;
}

bool prefix_has_loop(const live *l, prefix *p)
{
  uint32_t clock = 0;
  if (!p->count)
    return false;
  vec_resize(&p->met, p->count);
  vec_resize(&p->earliest, p->count);
  enter(p, 0, &clock);
  while (p->path.len) {
    uint32_t state = vec_last(&p->path);
    if (vec_last(&p->next) < p->first_steps.data[state + 1]) {
      uint32_t target = p->steps.data[vec_last(&p->next)++].target;
      uint32_t met = p->met.data[target];
      if (!met)
        enter(p, target, &clock);
      else if (met != FINISHED)
        lower(p, state, met);
      continue;
    }
    (void)vec_pop(&p->path);
    (void)vec_pop(&p->next);
    if (p->earliest.data[state] == p->met.data[state] && finish(l, p, state))
      return true;
    if (p->path.len && p->met.data[state] != FINISHED)
      lower(p, vec_last(&p->path), p->earliest.data[state]);
  }
  return false;
}
