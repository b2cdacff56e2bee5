/* Steps and faults of an expansion.  Steps form a tree, kept by their parents;
** the path to a successor or fault is copied to the batch when it is known. */

#include "program/interp/worker.h"

/* Copies the state to the record.  It may be empty: no globals, and the last
** process has ended. */
static void record_state(worker *m)
{
  batch *b = m->batch;
  vec_grow(&b->record_bytes, m->length + 1);
  memcpy(b->record_bytes.data + b->record_bytes.len, m->state, m->length);
  b->record_bytes.len += m->length;
}

/* Appends the step to the path, with the state as it is now. */
void record_step(worker *m, const cedge *e, uint32_t flags)
{
  batch *b = m->batch;
  if (!b->record)
    return;
  step s = {.edge = e->index,
            .process = (uint16_t)m->self,
            .flags = (uint16_t)(flags | (m->timeout ? STEP_TIMEOUT : 0)),
            .start = place_in_batch(b->record_bytes.len, m->length),
            .length = m->length,
            .output = place_in_batch(m->printed, 0),
            .output_length = (uint32_t)(b->output.len - m->printed)};
  m->printed = b->output.len;
  record_state(m);
  vec_push(&m->links, ((chain){m->link, s}));
  m->link = (uint32_t)m->links.len - 1;
}

/* The state of a step already recorded has changed since: a d_step is noted
** when it starts, and shown with the state at its end. */
void record_end_of_block(worker *m, uint32_t at)
{
  batch *b = m->batch;
  if (!b->record)
    return;
  step *s = &m->links.data[at].step;
  s->start = place_in_batch(b->record_bytes.len, m->length);
  s->length = m->length;
  record_state(m);
}

/* Copies the path that ends in 'link' to the batch. */
void copy_path(worker *m, uint32_t link, uint32_t *first, uint32_t *n)
{
  batch *b = m->batch;
  *first = place_in_batch(b->steps.len, m->links.len);
  *n = 0;
  if (!b->record)
    return;
  for (uint32_t i = link; i != NO_LINK; i = m->links.data[i].parent)
    ++*n;
  vec_resize(&b->steps, *first + *n);
  uint32_t at = *first + *n;
  for (uint32_t i = link; i != NO_LINK; i = m->links.data[i].parent)
    b->steps.data[--at] = m->links.data[i].step;
}

void flush_faults(worker *m, const cedge *e)
{
  for (size_t i = 0; i < m->raised.len; i++) {
    fault f = {.kind = m->raised.data[i].kind,
               .edge = e ? e->index : 0,
               .process = m->self,
               .where = m->raised.data[i].where};
    copy_path(m, m->link, &f.first_step, &f.steps);
    vec_push(&m->batch->faults, f);
  }
  vec_clear(&m->raised);
  m->fatal = false;
}
