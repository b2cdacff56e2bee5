/* d_steps as C: inner locations become labels, inner edges conditions and
** jumps.  The first inner location reads the source, so that a d_step which
** cannot start costs no copy; everything after it works on the copy. */

#include "program/emit/emit_internal.h"

static const clocation *inner_location(const emitter *e, uint32_t at)
{
  return &e->process->locations[at];
}

static bool is_inside(const emitter *e, uint32_t at)
{
  return inner_location(e, at)->flags & LOC_DSTEP;
}

static void add_once(emitter *e, uint32_t at)
{
  for (size_t i = 0; i < e->inner.len; i++)
    if (e->inner.data[i] == at)
      return;
  vec_push(&e->inner, at);
}

/* Adds the inner locations that the edges of 'at' lead to, and tells of what
** cannot be emitted. */
static void follow_inner_edges(emitter *e, uint32_t at)
{
  const clocation *from = inner_location(e, at);
  for (uint32_t i = 0; i < from->count; i++) {
    const cedge *arc = &e->code->edges[from->first + i];
    if (arc->flags & EDGE_DSTEP)
      e->problem = "a d_step in a d_step";
    for (uint32_t k = 0; k < arc->effect_count; k++)
      if (arc->effects[k].kind == EFFECT_DIE)
        e->problem = "the end of a process in a d_step";
    e->grows |= emit_creates(arc);
    if (is_inside(e, arc->target))
      add_once(e, arc->target);
  }
}

/* All inner locations that get a label. */
static void find_inner(emitter *e, const cedge *block)
{
  vec_clear(&e->inner);
  follow_inner_edges(e, block->block);
  for (size_t i = 0; i < e->inner.len; i++)
    follow_inner_edges(e, e->inner.data[i]);
}

/* Where the inner edge leads: to a label, or out.  Every loop has an edge to
** a location that is not later than its own, and those are counted. */
static void jump(emitter *e, const cedge *arc)
{
  text *changed = emit_text(e);
  emit_changes(e, changed);
  emit_line(e, "changed |= %s;", text_string(changed));
  emit_line(e, "x->out.reached[%u] = 1;", arc->index);
  if (arc->target <= arc->source->source && is_inside(e, arc->target))
    emit_line(e, "if (NUT_RARE(++turns > NUT_TURNS)) goto bail;");
  if (is_inside(e, arc->target))
    emit_line(e, "goto b%u_%u;", e->block->index, arc->target);
  else
    emit_line(e, "goto out_%u;", e->block->index);
  emit_done(e, changed);
}

static void first_begin(emitter *e, const cedge *arc)
{
  (void)arc;
  emit_begin(e, e->block);
  emit_line(e, "changed = turns = 0;");
}

static void inner_begin(emitter *e, const cedge *arc)
{
  (void)e;
  (void)arc;
}

static void inner_end(emitter *e, const cedge *arc)
{
  emit_effects(e, arc);
  jump(e, arc);
}

/* One inner edge: if it can be executed, it is, and control goes on. */
static void inner_edge(emitter *e, const cedge *arc, edge_body *begin)
{
  uint32_t depth = e->depth;
  text *guard = emit_text(e);
  if (arc->guard && !(arc->flags & EDGE_ELSE)) {
    emit_value(e, arc->guard, guard);
    emit_open(e, "if (%s) {", text_string(guard));
  } else {
    emit_open(e, "{");
  }
  if (arc->comm) {
    emit_comm(e, arc, begin, inner_end);
  } else {
    begin(e, arc);
    inner_end(e, arc);
  }
  while (e->depth > depth)
    emit_close(e);
  emit_done(e, guard);
}

static void start_of_inner(emitter *e, read_mode mode)
{
  e->mode = mode;
  vec_clear(&e->written);
  emit_changes_none(e);
}

static void inner_edges(emitter *e, const clocation *at, read_mode mode,
                        edge_body *begin)
{
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *arc = &e->code->edges[at->first + i];
    start_of_inner(e, mode);
    inner_edge(e, arc, begin);
    if (arc->flags & EDGE_ELSE)
      return;
  }
}

/* A d_step that answers a rendezvous starts with the receive. */
static void answering_edges(emitter *e, const clocation *at)
{
  bool other = false;
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *arc = &e->code->edges[at->first + i];
    start_of_inner(e, FROM_SOURCE);
    if (arc->flags & EDGE_ELSE) {
      other = true;
    } else if (arc->comm && emit_may_answer(e, arc->comm)) {
      if (other)
        e->problem = "else before a receive in a d_step";
      emit_answer(e, arc, first_begin, inner_end);
    }
  }
}

static void inner_locations(emitter *e, const cedge *block)
{
  for (size_t i = 0; i < e->inner.len; i++) {
    emit_line(e, "b%u_%u:;", block->index, e->inner.data[i]);
    inner_edges(e, inner_location(e, e->inner.data[i]), FROM_COPY, inner_begin);
    emit_line(e, "goto bail;");
  }
}

void emit_block(emitter *e, const cedge *block)
{
  text *target = emit_text(e), *changed = emit_text(e);
  e->block = block;
  e->grows = false;
  find_inner(e, block);
  /* A d_step can start with the else of the choice around it. */
  emit_open(e, block->flags & EDGE_ELSE ? "if (!moved) {" : "{");
  if (e->answering)
    answering_edges(e, inner_location(e, block->block));
  else
    inner_edges(e, inner_location(e, block->block), FROM_SOURCE, first_begin);
  emit_line(e, "goto done_%u;", block->index);
  inner_locations(e, block);
  emit_line(e, "out_%u:;", block->index);
  start_of_inner(e, FROM_COPY);
  text_printf(target, "%u", block->target);
  emit_set_location(e, text_string(target));
  text_add(changed, "changed | ");
  emit_changes(e, changed);
  emit_end(e, block, text_string(changed));
  emit_line(e, "done_%u:;", block->index);
  emit_close(e);
  e->block = NULL;
  emit_done(e, target);
  emit_done(e, changed);
}
