/* Edges as C: conditions that read the source, then a copy, effects on it,
** and the successor's entry. */

#include "program/emit/emit_internal.h"

/* ---- what has changed ------------------------------------------------- */

void emit_changes_none(emitter *e)
{
  e->all_changed = e->self_moved = false;
  e->slices = 0;
  text_clear(&e->bits);
}

void emit_changes(const emitter *e, text *out)
{
  if (e->all_changed) {
    text_add(out, "UINT64_MAX");
    return;
  }
  text_add(out, e->self_moved ? "mine" : "0");
  if (e->slices)
    text_printf(out, " | UINT64_C(0x%llx)", (unsigned long long)e->slices);
  text_add(out, text_string(&e->bits));
}

/* ---- effects ---------------------------------------------------------- */

static void effect_die(emitter *e)
{
  emit_line(e, "n = self;");
  e->all_changed = true;
  e->died = true;
}

/* Evaluated for its faults alone. */
static void effect_value(emitter *e, const node *n)
{
  text *value = emit_text(e);
  emit_value(e, n, value);
  if (emit_can_bail(text_string(value)))
    emit_line(e, "(void)(%s);", text_string(value));
  emit_done(e, value);
}

/* Statements in C may have changed all globals and all of the process. */
static void effect_embedded(emitter *e, const node *n)
{
  effect_value(e, n);
  if (e->model->c_code.data[n->value].kind != EMBED_RUNS)
    return;
  vec_push(&e->written, ((extent){BASE_STATE, 0, UINT32_MAX}));
  vec_push(&e->written, ((extent){BASE_SELF, 0, UINT32_MAX}));
  e->slices |= (UINT64_C(1) << e->layout->slices) - 1;
  e->self_moved = true;
}

static void one_effect(emitter *e, const ceffect *f)
{
  text *value = emit_text(e);
  switch ((effect_kind)f->kind) {
  case EFFECT_ASSIGN:
    if (f->value->op == NODE_RUN) {
      emit_run(e, f->value->u.run, f->target);
      break;
    }
    emit_value(e, f->value, value);
    emit_store(e, f->target, text_string(value));
    break;
  case EFFECT_EVAL:
    if (f->value->op == NODE_RUN)
      emit_run(e, f->value->u.run, NULL);
    else if (f->value->op == NODE_EMBED)
      effect_embedded(e, f->value);
    else
      effect_value(e, f->value);
    break;
  case EFFECT_ASSERT:
    emit_value(e, f->value, value);
    emit_line(e, "if (NUT_RARE(!(%s))) goto bail;", text_string(value));
    break;
  case EFFECT_PRINT: /* printed when steps are recorded, by the interpreter */
  case EFFECT_PRINTM:
    if (f->value)
      effect_value(e, f->value);
    for (uint32_t i = 0; i < f->arg_count; i++)
      effect_value(e, f->args[i]);
    break;
  case EFFECT_DIE:
    effect_die(e);
    break;
  }
  emit_done(e, value);
}

/* All right-hand sides are read before the first assignment. */
static void effects_at_once(emitter *e, const cedge *arc)
{
  for (uint32_t i = 0; i < arc->effect_count; i++) {
    text *value = emit_text(e);
    const ceffect *f = &arc->effects[i];
    if (f->kind == EFFECT_ASSIGN) {
      emit_value(e, f->value, value);
      emit_line(e, "const int32_t v%u = %s;", i, text_string(value));
    } else if (f->value) {
      effect_value(e, f->value);
    }
    emit_done(e, value);
  }
  for (uint32_t i = 0; i < arc->effect_count; i++) {
    text *value = emit_text(e);
    text_printf(value, "v%u", i);
    if (arc->effects[i].kind == EFFECT_ASSIGN)
      emit_store(e, arc->effects[i].target, text_string(value));
    else
      one_effect(e, &arc->effects[i]);
    emit_done(e, value);
  }
}

void emit_effects(emitter *e, const cedge *arc)
{
  if (arc->flags & EDGE_PARALLEL) {
    effects_at_once(e, arc);
    return;
  }
  for (uint32_t i = 0; i < arc->effect_count; i++) {
    if (e->died)
      e->problem = "effects after the end of a process";
    one_effect(e, &arc->effects[i]);
  }
}

void emit_set_location(emitter *e, const char *target)
{
  uint32_t kind = e->process->source->index;
  if (!e->died) {
    const char *name = e->locations[kind];
    if (e->layout->processes[kind].location_bytes == 1)
      emit_line(e, "d[self + %s] = %s;", name, target);
    else
      emit_line(e, "nut_put16(d + self + %s, %s);", name, target);
    e->self_moved = true;
  }
  if (e->layout->has_last) {
    emit_line(e, "d[%u] = pid; /* _last */", e->layout->last_offset);
    e->slices |= layout_slices_of(e->layout, e->layout->last_offset, 1);
  }
}

/* ---- a step ----------------------------------------------------------- */

void emit_begin(emitter *e, const cedge *arc)
{
  bool atomic = arc->flags & EDGE_ATOMIC;
  e->room_end = atomic ? "x->frame_bytes_end" : "x->out.end";
  if (e->grows)
    emit_line(e, "n = %s;", emit_length(e));
  emit_line(e, "if (!(d = nut_begin%s(x, s, %s))) goto room;",
            atomic ? "_atomic" : "", emit_length(e));
  e->mode = FROM_BOTH;
}

void emit_end(emitter *e, const cedge *arc, const char *changed)
{
  emit_line(e, "nut_end%s(x, d, %s, %u, pid, %s);",
            arc->flags & EDGE_ATOMIC ? "_atomic" : "",
            e->grows ? "n" : emit_length(e), arc->index, changed);
  if (e->grows)
    emit_line(e, "nut_restore(x);");
  if (e->wants_moved)
    emit_line(e, "moved = 1;");
}

static void step_end(emitter *e, const cedge *arc)
{
  text *target = emit_text(e), *changed = emit_text(e);
  emit_effects(e, arc);
  text_printf(target, "%u", arc->target);
  emit_set_location(e, text_string(target));
  emit_changes(e, changed);
  emit_end(e, arc, text_string(changed));
  e->died = false;
  emit_done(e, target);
  emit_done(e, changed);
}

/* ---- an edge ---------------------------------------------------------- */

static bool edge_dies(const cedge *arc)
{
  for (uint32_t i = 0; i < arc->effect_count; i++)
    if (arc->effects[i].kind == EFFECT_DIE)
      return true;
  return false;
}

/* Everything but d_steps and answers. */
static void plain_edge(emitter *e, const cedge *arc)
{
  uint32_t depth = e->depth;
  text *guard = emit_text(e);
  e->grows = emit_creates(arc) || edge_dies(arc);
  if (arc->flags & EDGE_ELSE) {
    emit_open(e, "if (!moved) {");
  } else if (arc->guard) {
    emit_value(e, arc->guard, guard);
    emit_open(e, "if (%s) {", text_string(guard));
  } else {
    emit_open(e, "{");
  }
  if (edge_dies(arc) && !(arc->flags & EDGE_ELSE))
    emit_open(e, "if (pid + 1 == %s) {", emit_processes(e));
  if (arc->comm && arc->comm->kind == COMM_JOIN) {
    /* Only together with a multicast; its guard may be a fault all the same. */
  } else if (arc->comm) {
    emit_comm(e, arc, emit_begin, step_end);
  } else {
    emit_begin(e, arc);
    step_end(e, arc);
  }
  while (e->depth > depth)
    emit_close(e);
  emit_done(e, guard);
}

static void answering_edge(emitter *e, const cedge *arc)
{
  e->grows = emit_creates(arc) || edge_dies(arc);
  emit_answer(e, arc, emit_begin, step_end);
}

static void comment_edge(emitter *e, const cedge *arc)
{
  text *t = emit_text(e);
  emit_comment_text(t, arc->source->text ? arc->source->text : "");
  emit_line(e, "/* %u: %s */", arc->index, text_string(t));
  emit_done(e, t);
}

/* What cannot be emitted is left to the interpreter, together with all other
** edges of its location. */
static void leave_to_interpreter(emitter *e, size_t start, uint32_t depth)
{
  e->out->len = start;
  e->depth = depth;
  emit_line(e, "goto bail; /* %s */", e->problem);
}

void emit_edge(emitter *e, const cedge *arc)
{
  size_t start = e->out->len;
  uint32_t depth = e->depth;
  e->problem = NULL;
  e->mode = FROM_SOURCE;
  e->died = false;
  vec_clear(&e->written);
  emit_changes_none(e);
  comment_edge(e, arc);
  if (arc->flags & EDGE_DSTEP)
    emit_block(e, arc);
  else if (e->joining)
    emit_join(e, arc);
  else if (e->answering)
    answering_edge(e, arc);
  else
    plain_edge(e, arc);
  if (e->problem)
    leave_to_interpreter(e, start, depth);
}
