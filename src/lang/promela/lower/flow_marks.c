/* What surrounds a sequence leaves its mark on the elements inside: options
** lose idle steps, atomic sequences keep control, unless adds escapes. */

#include "lang/promela/lower/flow.h"

/* ---- skips ------------------------------------------------------------ */

static bool prints(const flow_element *e)
{
  return e->kind == FLOW_STEP && e->stmt &&
         (e->stmt->kind == S_PRINTF || e->stmt->kind == S_PRINTM);
}

/* Of several skips or prints in a row inside an option, SPIN leaves out the
** skips that are neither the first of the row nor an end of the option.  They
** keep their numbers. */
void flow_drop_skips(flow_seq *s)
{
  uint32_t row = 0;
  flow_element *before = NULL;
  for (flow_element *e = s->first; e; e = e->next) {
    bool idle = (flow_is_skip(e) || prints(e)) && !e->labels;
    row = idle ? row + 1 : 0;
    if (row > 1 && !prints(e) && e != s->first && e != s->last)
      before->next = e->next;
    else
      before = e;
  }
}

/* ---- atomic sequences ------------------------------------------------- */

static void mark_atomic(flow_element *from, flow_element *to, uint32_t status)
{
  for (flow_element *e = from;; e = e->next) {
    e->status |= status;
    if (e->kind == FLOW_ATOMIC ||
        (e->kind == FLOW_DSTEP && (status & FLOW_INNER)))
      e->kind = FLOW_BLOCK;
    if (e->kind != FLOW_DSTEP)
      for (uint32_t i = 0; i < e->sub_count; i++)
        mark_atomic(e->subs[i]->first, e->subs[i]->last, status);
    if (e == to)
      return;
  }
}

/* All steps of 's' keep the sequence going, but not the last one.  Behind an
** 'if' that is the JOIN: so the end of such an atomic is a place of its own. */
void flow_make_atomic(flow_seq *s, uint32_t status)
{
  mark_atomic(s->first, s->last, status);
  flow_element *last = s->last;
  while (last->kind == FLOW_BLOCK || last->kind == FLOW_UNLESS)
    last = last->subs[0]->last;
  last->status &= ~(uint32_t)FLOW_KEEPS;
  last->status |= FLOW_LEAVES;
}

/* ---- escapes ---------------------------------------------------------- */

static void attach_to_element(arena *a, flow_element *e, flow_seq *escape)
{
  for (flow_escape *x = e->escapes; x; x = x->next)
    if (x->seq == escape)
      return;
  /* An outer escape also ends the inner ones. */
  for (flow_escape *x = e->escapes; x; x = x->next)
    flow_attach_escape(a, x->seq, escape);
  flow_escape *mine = ARENA_NEW(a, flow_escape);
  mine->seq = escape;
  mine->next = e->escapes;
  e->escapes = mine;
  if (e->kind == FLOW_UNLESS) {
    flow_attach_escape(a, e->subs[0], escape);
  } else if (e->kind == FLOW_DSTEP) {
    attach_to_element(a, e->subs[0]->first, escape);
  } else {
    for (uint32_t i = 0; i < e->sub_count; i++)
      flow_attach_escape(a, e->subs[i], escape);
  }
}

void flow_attach_escape(arena *a, flow_seq *s, flow_seq *escape)
{
  for (flow_element *e = s->first; e; e = e->next) {
    attach_to_element(a, e, escape);
    if (e == s->extent)
      return;
  }
}
