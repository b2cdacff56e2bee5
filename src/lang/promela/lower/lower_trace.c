/* What a trace must keep to.
**
** It must be deterministic: what it says of a run may not depend on the
** order of its options.  Two options of one place that take the same event are
** refused here when the text alone shows it; where values or channels of the
** run decide, that step of the run is a fault (program/interp/channel.c). */

#include "lang/promela/lower/lower.h"

/* ---- variables -------------------------------------------------------- */

static bool reads_local(const expr *e)
{
  if (!e)
    return false;
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->var->owner || reads_local(r->index))
      return true;
  return reads_local(e->args[0]) || reads_local(e->args[1]) ||
         reads_local(e->args[2]);
}

/* A variable of the trace stands for any value, and is never assigned to. */
static void check_values(lower *l, const comm *c)
{
  bool local = reads_local(c->channel);
  for (size_t i = 0; i < c->args.len && !local; i++)
    local =
        c->args.data[i].kind == ARG_VALUE && reads_local(c->args.data[i].value);
  if (local)
    diag_error(l->diags, c->where,
               "a variable of the trace itself has no value");
}

/* ---- options ---------------------------------------------------------- */

/* The channel that is declared where the event names it, or NULL when only a
** run can tell. */
static const channel_type *channel_of(const comm *c)
{
  const expr *e = c->channel;
  bool plain = e->op == OP_VAR && !e->ref->index && !e->ref->field;
  return plain ? e->ref->var->init_channel : NULL;
}

/* Whether some message surely is this event. */
static bool can_happen(const comm *c)
{
  const channel_type *t = channel_of(c);
  for (size_t i = 0; t && i < c->args.len && i < t->fields.len; i++) {
    const comm_arg *a = &c->args.data[i];
    if (a->kind != ARG_VALUE)
      continue;
    if (a->value->op != OP_CONST ||
        type_truncate(&t->fields.data[i], a->value->value) != a->value->value)
      return false;
  }
  return t != NULL;
}

/* Both can happen, so their values are constants. */
static bool values_agree(const comm *a, const comm *b)
{
  for (size_t i = 0; i < a->args.len && i < b->args.len; i++) {
    const comm_arg *x = &a->args.data[i], *y = &b->args.data[i];
    if (x->kind == ARG_VALUE && y->kind == ARG_VALUE &&
        x->value->value != y->value->value)
      return false;
  }
  return true;
}

/* An edge without communication takes any event that the trace watches. */
static bool surely_overlap(const comm *a, const comm *b)
{
  if (!a || !b)
    return (!a || can_happen(a)) && (!b || can_happen(b));
  return a->kind == b->kind && channel_of(a) == channel_of(b) &&
         can_happen(a) && can_happen(b) && values_agree(a, b);
}

static bool watches(const process_type *trace)
{
  for (size_t i = 0; i < trace->edges.len; i++)
    if (trace->edges.data[i]->comm)
      return true;
  return false;
}

static void check_options(lower *l, const process_type *trace)
{
  for (size_t i = 0; i < trace->edges.len && watches(trace); i++)
    for (size_t k = 0; k < i; k++) {
      const edge *a = trace->edges.data[k], *b = trace->edges.data[i];
      if (a->source != b->source || !surely_overlap(a->comm, b->comm))
        continue;
      diag_error(l->diags, b->where,
                 "the trace is not deterministic:"
                 " two options take the same event");
      diag_note(l->diags, a->where, "the other option");
      return;
    }
}

void lower_check_trace(lower *l, const process_type *trace)
{
  for (size_t i = 0; i < trace->edges.len; i++)
    if (trace->edges.data[i]->comm)
      check_values(l, trace->edges.data[i]->comm);
  check_options(l, trace);
}
