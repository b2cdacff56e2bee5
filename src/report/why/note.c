/* Looks through the parts of a statement, in the order of their execution, for
** the one that explains what happened. */

#include "report/why/note.h"
#include "report/evaluate.h"
#include "report/why/waiting.h"

/* What is looked for, and what was found. */
typedef struct search_for {
  const model *model;
  const view *view;
  uint32_t process;
  fault_kind fault;
  text *out;
} search_for;

/* ---- indices and divisors ----------------------------------------------- */

static bool tell_index(const search_for *s, const ref *r)
{
  int32_t value;
  if (!evaluate(s->view, s->process, r->index, &value) ||
      (value >= 0 && (uint32_t)value < r->var->length))
    return false;
  if (r->index->op != OP_CONST) {
    expr_print(s->model, r->index, s->out);
    text_printf(s->out, " is %d, ", value);
  }
  text_printf(s->out, "%s has %u element%s", r->var->name, r->var->length,
              r->var->length == 1 ? "" : "s");
  return true;
}

static bool tell_divisor(const search_for *s, const expr *e)
{
  int32_t value;
  const expr *by = e->args[1];
  if (by->op == OP_CONST || !evaluate(s->view, s->process, by, &value) || value)
    return false;
  expr_print(s->model, by, s->out);
  text_add(s->out, " is 0");
  return true;
}

static bool look_into(const search_for *, const expr *);

static bool look_at_ref(const search_for *s, const ref *r)
{
  for (; r; r = r->field)
    if (r->index && (look_into(s, r->index) ||
                     (s->fault == FAULT_BOUNDS && tell_index(s, r))))
      return true;
  return false;
}

/* False: the fault is not there, or that cannot be told. */
static bool look_into(const search_for *s, const expr *e)
{
  if (!e)
    return false;
  if (e->op == OP_VAR && look_at_ref(s, e->ref))
    return true;
  for (int i = 0; i < 3; i++)
    if (look_into(s, e->args[i]))
      return true;
  return s->fault == FAULT_DIVISION && (e->op == OP_DIV || e->op == OP_MOD) &&
         tell_divisor(s, e);
}

static bool look_at_comm(const search_for *s, const comm *c)
{
  if (look_into(s, c->channel))
    return true;
  for (size_t i = 0; i < c->args.len; i++) {
    const comm_arg *a = &c->args.data[i];
    if (look_into(s, a->value) || look_at_ref(s, a->target))
      return true;
  }
  return false;
}

/* ---- assignments and assertions ----------------------------------------- */

/* A value that the variable cannot hold. */
static bool tell_wrap(const search_for *s, const effect *e)
{
  int32_t value;
  const ref *last = e->target;
  while (last->field)
    last = last->field;
  const type *t = &last->var->type;
  if (last->var->flags & VAR_SCRATCH || t->kind == TYPE_RECORD ||
      !evaluate(s->view, s->process, e->value, &value) ||
      (t->kind == TYPE_RANGE ? value >= t->lo && value <= t->hi
                             : type_truncate(t, value) == value))
    return false;
  text_printf(s->out, "%d does not fit ", value);
  type_print(t, s->out);
  return true;
}

static bool look_at_effect(const search_for *s, const effect *e, story *of)
{
  if (e->kind == EFFECT_ASSERT && s->fault == FAULT_ASSERT)
    waiting_add_variables(s->model, s->view, s->process, e->value, of->words,
                          s->out);
  if (s->out->len || look_into(s, e->value))
    return true;
  return e->kind == EFFECT_ASSIGN &&
         (look_at_ref(s, e->target) ||
          ((!s->fault || s->fault == FAULT_OVERFLOW) && tell_wrap(s, e)));
}

/* Up to the first part that changes what the others see. */
static void look_at_edge(const search_for *s, const edge *e, story *of)
{
  if (look_into(s, e->guard) || (e->comm && look_at_comm(s, e->comm)) ||
      (e->comm && e->comm->kind != COMM_SEND))
    return;
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *one = e->effects.data[i];
    if (look_at_effect(s, one, of))
      return;
    if (!(e->flags & EDGE_PARALLEL) &&
        (one->kind == EFFECT_ASSIGN || one->kind == EFFECT_EVAL))
      return;
  }
}

/* ---- notes -------------------------------------------------------------- */

static const char *keep(story *s)
{
  text *t = &s->scratch;
  const char *copy =
      t->len ? arena_copy(s->arena, text_string(t), t->len) : NULL;
  text_clear(t);
  return copy;
}

const char *note_step(story *s, size_t index)
{
  const telling *t = &s->steps.data[index];
  bool failed = s->end == TRACE_FAULT && index + 1 == s->steps.len;
  search_for f = {s->model, &s->now, t->process, failed ? s->fault : FAULT_NONE,
                  &s->scratch};
  look_at_edge(&f, t->edge, s);
  return keep(s);
}

const char *note_ending(story *s)
{
  uint32_t length = 0;
  size_t n = s->steps.len;
  if (s->end == TRACE_FAULT && n) {
    story_details(s, n - 1, n);
    return s->steps.data[n - 1].note;
  }
  if (s->end != TRACE_INVARIANT || !s->trace->expr)
    return NULL;
  const uint8_t *state =
      trace_state(s->trace, s->trace->steps.len - 1, &length);
  view_read(s->program, state, length, &s->next);
  waiting_add_variables(s->model, &s->next, 0, s->trace->expr, s->words,
                        &s->scratch);
  return keep(s);
}
