/* Expressions, references and communications. */

#include "lang/promela/lower/lower.h"

/* ---- references ------------------------------------------------------- */

static var *variable_of(lower *l, const pml_var *v)
{
  if (v->kind == PML_FIELD)
    return l->records[v->in_record->index]->fields.data[v->index];
  if (v->kind == PML_GLOBAL)
    return l->globals[v->index];
  return l->procs[v->proc->index].locals[v->index];
}

/* '_' is written to a variable that nobody sees. */
static ref *scratch_ref(lower *l, span where)
{
  if (!l->scratch) {
    const char *name = name_of(l->m->names, "_");
    l->scratch = model_add_global(l->m, name, type_scalar(TYPE_INT), where);
    l->scratch->flags = VAR_HIDDEN | VAR_SCRATCH;
  }
  return ref_new(l->m, l->scratch, NULL, NULL, where);
}

/* Scalars in one variable of this type. */
static uint32_t count_scalars(const pml_var *v)
{
  uint32_t n = 0;
  if (v->type.type != PML_RECORD)
    return 1;
  for (uint32_t i = 0; i < v->type.record->field_count; i++)
    n += count_scalars(v->type.record->fields[i]);
  return n;
}

/* The local that stands for a field of a record that is a parameter. */
static var *flat_field(lower *l, const pml_step *steps, uint32_t count)
{
  const lower_proc *p = &l->procs[steps->var->proc->index];
  uint32_t at = p->flat[steps->var->index];
  for (uint32_t i = 1; i < count; i++) {
    const pml_var *field = steps[i].var;
    for (uint32_t k = 0; k < field->index; k++)
      at += count_scalars(field->in_record->fields[k]);
  }
  return p->type->locals.data[at];
}

ref *lower_ref(lower *l, const pml_step *steps, uint32_t count, span where)
{
  if (steps->var->predef == PREDEF_SCRATCH)
    return scratch_ref(l, where);
  if (steps->var->kind == PML_PARAM && steps->var->type.type == PML_RECORD)
    return ref_new(l->m, flat_field(l, steps, count), NULL, NULL, where);
  expr *index = steps->index ? lower_expr(l, steps->index) : NULL;
  ref *field =
      count > 1 ? lower_ref(l, steps + 1, count - 1, steps[1].where) : NULL;
  return ref_new(l->m, variable_of(l, steps->var), index, field, where);
}

static expr *lower_predefined(lower *l, const pml_expr *e, pml_predef predef)
{
  expr *pid = expr_new(l->m, OP_PID, NULL, NULL, NULL, e->where);
  switch (predef) {
  case PREDEF_PID:
    return pid;
  case PREDEF_LAST:
    return expr_new(l->m, OP_LAST, NULL, NULL, NULL, e->where);
  case PREDEF_NR_PR:
    return expr_new(l->m, OP_NR_PR, NULL, NULL, NULL, e->where);
  case PREDEF_PRIORITY:
    return expr_new(l->m, OP_PRIORITY, pid, NULL, NULL, e->where);
  case PREDEF_NONE:
  case PREDEF_SCRATCH:
    break;
  }
  diag_error(l->diags, e->where, "the value of '_' cannot be read");
  return expr_const(l->m, 0, e->where);
}

static expr *lower_variable(lower *l, const pml_expr *e)
{
  if (e->steps->var->predef != PREDEF_NONE)
    return lower_predefined(l, e, e->steps->var->predef);
  return expr_var(l->m, lower_ref(l, e->steps, e->step_count, e->where),
                  e->where);
}

/* ---- communications --------------------------------------------------- */

static void add_arg(comm *c, arg_kind kind, expr *value, ref *target)
{
  comm_arg a = {.kind = kind, .value = value, .target = target};
  vec_push(&c->args, a);
}

/* A constant or eval(..) must match; a variable takes the value, unless the
** receive only looks. */
static void add_receive_arg(lower *l, comm *c, const pml_expr *e, bool looks)
{
  if (e->kind == E_EVAL)
    add_arg(c, ARG_VALUE, lower_expr(l, e->a), NULL);
  else if (e->kind != E_REF)
    add_arg(c, ARG_VALUE, lower_expr(l, e), NULL);
  else if (looks || e->steps->var->predef == PREDEF_SCRATCH)
    add_arg(c, ARG_IGNORE, NULL, NULL);
  else
    add_arg(c, ARG_STORE, NULL,
            lower_ref(l, e->steps, e->step_count, e->where));
}

static bool is_constant(const expr *e)
{
  for (uint32_t i = 0; i < 3; i++)
    if (e->args[i] && !is_constant(e->args[i]))
      return false;
  return e->op == OP_CONST || e->args[0];
}

/* In a trace a send compares constants only. */
static void add_send_pattern(lower *l, comm *c, const pml_expr *e)
{
  expr *value = e->kind == E_REF ? NULL : lower_expr(l, e);
  if (value && is_constant(value))
    add_arg(c, ARG_VALUE, value, NULL);
  else
    add_arg(c, ARG_IGNORE, NULL, NULL);
}

comm *lower_send(lower *l, const pml_stmt *s, bool pattern)
{
  comm *c = comm_new(l->m, COMM_SEND, lower_expr(l, s->a), s->where);
  c->sorted = s->sorted;
  for (uint32_t i = 0; i < s->arg_count; i++)
    if (pattern)
      add_send_pattern(l, c, s->args[i]);
    else
      add_arg(c, ARG_VALUE, lower_expr(l, s->args[i]), NULL);
  return c;
}

comm *lower_receive(lower *l, const pml_stmt *s, bool pattern)
{
  comm *c = comm_new(l->m, COMM_RECEIVE, lower_expr(l, s->a), s->where);
  c->anywhere = s->random;
  c->copy = s->copy;
  for (uint32_t i = 0; i < s->arg_count; i++)
    add_receive_arg(l, c, s->args[i], pattern);
  return c;
}

static expr *lower_poll(lower *l, const pml_expr *e)
{
  expr *channel = lower_expr(l, e->a);
  comm *c = comm_new(l->m, COMM_RECEIVE, channel, e->where);
  c->anywhere = e->random;
  c->copy = true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    add_receive_arg(l, c, e->args[i], true);
  expr *poll = expr_new(l->m, OP_POLL, channel, NULL, NULL, e->where);
  poll->poll = c;
  return poll;
}

/* ---- processes -------------------------------------------------------- */

static expr *lower_run(lower *l, const pml_expr *e)
{
  expr *created = expr_new(l->m, OP_RUN, NULL, NULL, NULL, e->where);
  created->run = run_new(l->m, l->procs[e->proc->index].type);
  for (uint32_t i = 0; i < e->arg_count; i++)
    vec_push(&created->run->args, lower_expr(l, e->args[i]));
  if (e->value > 0)
    created->run->priority = expr_const(l->m, e->value, e->where);
  return created;
}

/* Which instance: the number given, or -1 for the only one. */
static expr *lower_instance(lower *l, const pml_expr *e)
{
  return e->a ? lower_expr(l, e->a) : expr_const(l->m, -1, e->where);
}

static expr *lower_remote_label(lower *l, const pml_expr *e)
{
  lower_proc *p = &l->procs[e->proc->index];
  flow_element *at = flow_find(p->flow, e->label);
  uint32_t place = at ? p->places[at->number] : NO_PLACE;
  expr *x = expr_new(l->m, OP_AT, lower_instance(l, e), NULL, NULL, e->where);
  x->process = p->type;
  x->label = e->label_name;
  if (place == NO_PLACE) {
    diag_error(l->diags, e->where, "control never rests at label '%s' of '%s'",
               e->label_name, p->type->name);
    place = 0;
  } else if (at->kind == FLOW_GOTO) {
    diag_warn(l->diags, e->where,
              "label '%s' stands on a jump: no process is "
              "ever seen there",
              e->label_name);
  }
  x->location = place;
  return x;
}

static expr *lower_remote_var(lower *l, const pml_expr *e)
{
  expr *x =
      expr_new(l->m, OP_REMOTE, lower_instance(l, e), NULL, NULL, e->where);
  x->process = l->procs[e->proc->index].type;
  x->ref = lower_ref(l, e->steps, e->step_count, e->where);
  return x;
}

/* ---- operators -------------------------------------------------------- */

/* Operators with plain operands; OP_CONST stands for none. */
/* clang-format off */
static const op operators[] = {
  [E_NOT] = OP_NOT,       [E_NEG] = OP_NEG,         [E_INV] = OP_COMPL,
  [E_ADD] = OP_ADD,       [E_SUB] = OP_SUB,         [E_MUL] = OP_MUL,
  [E_DIV] = OP_DIV,       [E_MOD] = OP_MOD,         [E_BAND] = OP_BITAND,
  [E_BXOR] = OP_BITXOR,   [E_BOR] = OP_BITOR,       [E_SHL] = OP_SHL,
  [E_SHR] = OP_SHR,       [E_LT] = OP_LT,           [E_LE] = OP_LE,
  [E_GT] = OP_GT,         [E_GE] = OP_GE,           [E_EQ] = OP_EQ,
  [E_NE] = OP_NE,         [E_AND] = OP_AND,         [E_OR] = OP_OR,
  [E_COND] = OP_COND,     [E_ENABLED] = OP_ENABLED, [E_PC_VALUE] = OP_PC_VALUE,
  [E_GET_PRIORITY] = OP_PRIORITY,                   [E_TIMEOUT] = OP_TIMEOUT,
  [E_NONPROGRESS] = OP_NP, [E_LEN] = OP_LEN,        [E_EMPTY] = OP_EMPTY,
  [E_NEMPTY] = OP_NEMPTY, [E_FULL] = OP_FULL,       [E_NFULL] = OP_NFULL,
  [E_IMPLIES] = OP_IMPLY, [E_EQUIV] = OP_EQ,        [E_ERROR] = OP_CONST,
};
/* clang-format on */

static expr *lower_operator(lower *l, const pml_expr *e)
{
  op o = operators[e->kind];
  if (o == OP_CONST) {
    diag_error(l->diags, e->where, "this cannot be part of an expression");
    return expr_const(l->m, 0, e->where);
  }
  expr *a = e->a ? lower_expr(l, e->a) : NULL;
  expr *b = e->b ? lower_expr(l, e->b) : NULL;
  expr *c = e->c ? lower_expr(l, e->c) : NULL;
  /* '<->' compares truth, not numbers. */
  if (e->kind == E_EQUIV) {
    a = expr_new(l->m, OP_NOT, a, NULL, NULL, e->where);
    b = expr_new(l->m, OP_NOT, b, NULL, NULL, e->where);
  }
  return expr_new(l->m, o, a, b, c, e->where);
}

expr *lower_expr(lower *l, const pml_expr *e)
{
  switch (e->kind) {
  case E_CONST: {
    expr *x = expr_const(l->m, e->value, e->where);
    x->label = e->mtype ? e->name : NULL;
    return x;
  }
  case E_REF:
    return lower_variable(l, e);
  case E_RUN:
    return lower_run(l, e);
  case E_POLL:
    return lower_poll(l, e);
  case E_REMOTE_LABEL:
    return lower_remote_label(l, e);
  case E_REMOTE_VAR:
    return lower_remote_var(l, e);
  case E_EVAL:
    return lower_expr(l, e->a);
  case E_C_EXPR:
    return lower_c(l, e->code);
  default:
    return lower_operator(l, e);
  }
}

bool lower_has_run(const pml_expr *e)
{
  if (!e)
    return false;
  return e->kind == E_RUN || lower_has_run(e->a) || lower_has_run(e->b) ||
         lower_has_run(e->c);
}
