/* The elements of one process: numbers, labels, and the loose ends that can
** be tied only when the whole model has been read. */

#include "lang/promela/lower/flow.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <assert.h>
#include <string.h>

flow *flow_create(arena *a, diags *d, const pml_proc *proc, int32_t first_id)
{
  flow *f = ARENA_NEW(a, flow);
  f->arena = a;
  f->diags = d;
  f->proc = proc;
  f->first_id = first_id;
  f->count = 1;
  f->elements = ARENA_ARRAY(a, flow_element *, 1);
  f->label_slots = 4;
  while (f->label_slots < 2 * (uint64_t)proc->label_count)
    f->label_slots *= 2;
  f->label_map = ARENA_ARRAY(a, flow_label *, f->label_slots);
  return f;
}

/* Elements are kept by number; the array doubles. */
void flow_number(flow *f, flow_element *e)
{
  if ((f->count & (f->count - 1)) == 0) {
    flow_element **more =
        ARENA_ARRAY(f->arena, flow_element *, (size_t)f->count * 2);
    memcpy(more, f->elements, f->count * sizeof *more);
    f->elements = more;
  }
  e->number = f->count;
  f->elements[f->count++] = e;
}

static flow_label **label_slot(const flow *f, const pml_label *label)
{
  uint32_t i = (uint32_t)hash_mix((uint64_t)(uintptr_t)label);
  for (;; i++) {
    flow_label **slot = &f->label_map[i & (f->label_slots - 1)];
    if (!*slot || (*slot)->label == label)
      return slot;
  }
}

flow_element *flow_find(const flow *f, const pml_label *label)
{
  flow_label *found = *label_slot(f, label);
  return found ? found->at : NULL;
}

void flow_set_label(flow *f, flow_label *l)
{
  *label_slot(f, l->label) = l;
}

bool flow_is_skip(const flow_element *e)
{
  if (e->kind == FLOW_SKIP)
    return true;
  return e->kind == FLOW_STEP && e->stmt && e->stmt->kind == S_EXPR &&
         e->stmt->a->kind == E_CONST && e->stmt->a->value == 1;
}

void flow_observe(flow *f, const pml_label *label, int32_t *next_id)
{
  flow_element *e = flow_find(f, label);
  if (!e || e->kind != FLOW_GOTO)
    return;
  flow_element *jump = ARENA_NEW(f->arena, flow_element);
  jump->kind = FLOW_GOTO;
  jump->stmt = e->stmt;
  jump->goal = e->goal;
  jump->next = e->next;
  jump->dstep = e->dstep;
  jump->where = e->where;
  jump->id = (*next_id)++;
  flow_number(f, jump);
  e->kind = FLOW_SKIP;
  e->stmt = NULL;
  e->next = jump;
}

flow_element *flow_lost(flow *f, const flow_element *from)
{
  if (!f->lost)
    diag_error(f->diags, from->where,
               "from here jumps go in a circle, or more than %d in a row",
               FLOW_JUMPS_MAX);
  f->lost = true;
  return f->body->last;
}

flow_element *flow_inner(flow *f, flow_element *e, uint32_t dstep)
{
  const flow_element *from = e;
  for (int i = 0; i < FLOW_JUMPS_MAX && !f->lost; i++) {
    if (!e || e->dstep != dstep)
      return NULL;
    if (e->kind == FLOW_GOTO)
      e = e->goal;
    else if (e->kind == FLOW_JOIN || e->kind == FLOW_EXIT)
      e = e->next;
    else if (e->kind == FLOW_BLOCK)
      e = e->subs[0]->first;
    else
      return e;
  }
  flow_lost(f, from);
  return NULL;
}

/* ---- when everything is read ------------------------------------------ */

static void resolve_jump(flow *f, flow_element *e)
{
  if (e->stmt->kind == S_GOTO)
    e->goal = flow_find(f, e->stmt->target);
  assert(e->goal);
  if (e->goal->dstep != e->dstep)
    diag_error(f->diags, e->where, "jump %s a d_step",
               e->dstep ? "out of" : "into");
}

/* The last element of a block goes on behind the block. */
static void tie_block(flow_element *e)
{
  flow_seq *inside = e->subs[0];
  flow_element *behind = e->next;
  while (behind && behind->kind == FLOW_JOIN)
    behind = behind->next;
  if (!inside->last->next)
    inside->last->next = behind;
  else if (inside->last->next->kind == FLOW_GOTO)
    inside->last = inside->last->next;
}

void flow_finish(flow *f)
{
  for (uint32_t i = 1; i < f->count; i++)
    if (f->elements[i]->kind == FLOW_GOTO)
      resolve_jump(f, f->elements[i]);
  /* Outer blocks have higher numbers and come first. */
  for (uint32_t i = f->count; i-- > 1;) {
    flow_element *e = f->elements[i];
    if (e->next && (e->kind == FLOW_ATOMIC || e->kind == FLOW_BLOCK ||
                    e->kind == FLOW_DSTEP))
      tie_block(e);
  }
}
