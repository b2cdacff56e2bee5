#include "search/trace/next_steps.h"

/* Whether a fault happens on the way to a successor, such as an assertion that
** fails and lets the process go on: its steps are the first of the other's. */
static bool on_the_way(const batch *b, const fault *f, const successor *to)
{
  if (f->steps == 0 || f->steps > to->steps)
    return false;
  for (uint32_t i = 0; i < f->steps; i++) {
    const step *x = &b->steps.data[f->first_step + i];
    const step *y = &b->steps.data[to->first_step + i];
    if (x->edge != y->edge || x->process != y->process)
      return false;
  }
  return true;
}

static size_t fault_before(const batch *b, const successor *to)
{
  for (size_t i = 0; i < b->faults.len; i++)
    if (on_the_way(b, &b->faults.data[i], to))
      return i;
  return NEXT_NONE;
}

static bool leads_on(const batch *b, const fault *f)
{
  for (size_t i = 0; i < b->list.len; i++)
    if (on_the_way(b, f, &b->list.data[i]))
      return true;
  return false;
}

void next_find(next_steps *n, worker *w, const uint8_t *state, uint32_t length)
{
  const batch *b = &n->batch;
  n->batch.record = true;
  program_successors(w, state, length, &n->batch);
  vec_clear(&n->list);
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *to = &b->list.data[i];
    vec_push(&n->list,
             ((next_step){to->edge, to->process, i, fault_before(b, to)}));
  }
  for (size_t i = 0; i < b->faults.len; i++) {
    const fault *f = &b->faults.data[i];
    if (!leads_on(b, f))
      vec_push(&n->list, ((next_step){f->edge, f->process, NEXT_NONE, i}));
  }
}

void next_free(next_steps *n)
{
  batch_free(&n->batch);
  vec_free(&n->list);
}
