/* Expressions, and who is meant by a name in them. */

#include "lang/dve/lower.h"

/* ---- names ------------------------------------------------------------- */

/* A macro can bring the same name many times to the same place. */
static bool is_reported(const diags *d, span where)
{
  for (size_t i = diags_count(d); i-- > 0;) {
    const diagnostic *before = diags_get(d, i);
    if (before->level == DIAG_ERROR && before->where.file == where.file &&
        before->where.start == where.start &&
        before->where.length == where.length)
      return true;
  }
  return false;
}

static void report_unknown(const dve_context *c, const dve_name *name,
                           symbol_kind kind, const process_info *scope)
{
  dve_lower *l = c->l;
  if (is_reported(l->diags, name->where))
    return;
  diag_error(l->diags, name->where, "'%s' is not declared", name->name);
  const symbol *near = symbols_nearest(&l->symbols, scope, kind, name->name);
  if (near)
    diag_note(l->diags, near->as.where, "the nearest name is '%s'",
              near->as.name);
}

static const char *kind_text(symbol_kind kind)
{
  switch (kind) {
  case SYMBOL_VARIABLE:
    return "a variable";
  case SYMBOL_CONSTANT:
    return "a constant";
  case SYMBOL_CHANNEL:
    return "a channel";
  case SYMBOL_PROCESS:
    return "a process";
  case SYMBOL_STATE:
    return "a state";
  }
  return "";
}

static void report_kind(const dve_context *c, const dve_name *name,
                        const symbol *found, const char *wanted)
{
  diag_error(c->l->diags, name->where, "'%s' is %s, not %s", name->name,
             kind_text(found->kind), wanted);
  diag_note(c->l->diags, found->as.where, "declared here");
}

const process_info *dve_find_process(const dve_context *c, const dve_name *name)
{
  symbol *s = scopes_find(&c->l->symbols, NULL, false, name->name);
  if (!s) {
    report_unknown(c, name, SYMBOL_PROCESS, NULL);
    return NULL;
  }
  if (s->kind != SYMBOL_PROCESS) {
    report_kind(c, name, s, "a process");
    return NULL;
  }
  if (s->process->number < 0) {
    diag_error(c->l->diags, name->where,
               "'%s' is the property; it cannot be looked at", name->name);
    return NULL;
  }
  return s->process;
}

const symbol *dve_find_state(dve_lower *l, const process_info *process,
                             const dve_name *name)
{
  const symbol *s = scopes_find(&l->symbols, process, true, name->name);
  if (s)
    return s;
  diag_error(l->diags, name->where, "process '%s' has no state '%s'",
             process->source->name.name, name->name);
  s = symbols_nearest(&l->symbols, process, SYMBOL_STATE, name->name);
  if (s)
    diag_note(l->diags, s->as.where, "the nearest name is '%s'", s->as.name);
  return NULL;
}

/* The variable or constant that is meant, and in '*owner' the process it is
** looked for in when that was written. */
static const symbol *find_variable(const dve_context *c, const dve_expr *e,
                                   const process_info **owner)
{
  const process_info *scope = c->self;
  const symbol *s = NULL;
  *owner = NULL;
  if (e->process.name) {
    *owner = scope = dve_find_process(c, &e->process);
    if (!scope)
      return NULL;
  }
  if (scope)
    s = scopes_find(&c->l->symbols, scope, false, e->name.name);
  if (!s && !*owner)
    s = scopes_find(&c->l->symbols, NULL, false, e->name.name);
  if (!s) {
    report_unknown(c, &e->name, SYMBOL_VARIABLE, scope);
    return NULL;
  }
  if (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_CONSTANT) {
    report_kind(c, &e->name, s, "a variable");
    return NULL;
  }
  return s;
}

/* ---- variables --------------------------------------------------------- */

static bool is_array(const symbol *s)
{
  return s->kind == SYMBOL_VARIABLE && (s->var->flags & VAR_ARRAY);
}

static bool check_index(const dve_context *c, const dve_expr *e,
                        const symbol *s)
{
  if (is_array(s) || !e->index)
    return true;
  diag_error(c->l->diags, e->where, "'%s' is not an array", e->name.name);
  diag_note(c->l->diags, s->as.where, "declared here");
  return false;
}

/* The reference to 's' with the index of 'e', which belongs to who looks. */
static ref *lower_ref(const dve_context *c, const dve_expr *e, const symbol *s)
{
  expr *index = NULL;
  if (!e->index && is_array(s)) {
    diag_warn(c->l->diags, e->where,
              "'%s' is an array; without an index its first element is meant",
              e->name.name);
    index = expr_const(c->l->m, 0, e->where);
  }
  if (e->index) {
    index = dve_lower_expr(c, e->index);
    if (!index)
      return NULL;
    if (index->op == OP_CONST &&
        (index->value < 0 || (uint32_t)index->value >= s->var->length))
      diag_warn(c->l->diags, e->where,
                "index %d is never in the array: '%s' has elements 0 to %u",
                index->value, s->as.name, s->var->length - 1);
  }
  return ref_new(c->l->m, s->var, index, NULL, e->where);
}

static expr *lower_variable(const dve_context *c, const dve_expr *e)
{
  model *m = c->l->m;
  const process_info *owner;
  const symbol *s = find_variable(c, e, &owner);
  if (!s || !check_index(c, e, s))
    return NULL;
  if (s->kind == SYMBOL_CONSTANT)
    return expr_const(m, s->value, e->where);
  ref *r = lower_ref(c, e, s);
  if (!r)
    return NULL;
  if (!s->as.scope || (s->as.scope == c->self && !c->outside))
    return expr_var(m, r, e->where);
  const process_info *whose = s->as.scope;
  expr *remote = expr_new(m, OP_REMOTE, expr_const(m, whose->number, e->where),
                          NULL, NULL, e->where);
  remote->process = whose->type;
  remote->ref = r;
  return remote;
}

static expr *lower_state(const dve_context *c, const dve_expr *e)
{
  model *m = c->l->m;
  const process_info *process = dve_find_process(c, &e->process);
  const symbol *s = process ? dve_find_state(c->l, process, &e->name) : NULL;
  if (!s)
    return NULL;
  expr *at = expr_new(m, OP_AT, expr_const(m, process->number, e->where), NULL,
                      NULL, e->where);
  at->process = process->type;
  at->location = s->location;
  at->label = s->as.name;
  return at;
}

ref *dve_lower_target(const dve_context *c, const dve_expr *e)
{
  const process_info *owner;
  if (e->kind != DVE_VARIABLE || e->grouped) {
    diag_error(c->l->diags, e->where, "only a variable can be assigned to");
    return NULL;
  }
  if (e->process.name) {
    diag_error(c->l->diags, e->where,
               "the variables of another process can be read, not changed");
    return NULL;
  }
  const symbol *s = find_variable(c, e, &owner);
  if (!s)
    return NULL;
  if (s->kind == SYMBOL_CONSTANT || s->fixed) {
    diag_error(c->l->diags, e->where, "'%s' is a constant", e->name.name);
    diag_note(c->l->diags, s->as.where, "declared here");
    return NULL;
  }
  return check_index(c, e, s) ? lower_ref(c, e, s) : NULL;
}

/* ---- operators --------------------------------------------------------- */

static expr *lower_operator(const dve_context *c, const dve_expr *e)
{
  expr *a = dve_lower_expr(c, e->a);
  expr *b = e->b ? dve_lower_expr(c, e->b) : NULL;
  int32_t value;
  if (!a || (e->b && !b))
    return NULL;
  if (a->op == OP_CONST && (!b || b->op == OP_CONST) &&
      op_apply(e->op, a->value, b ? b->value : 0, &value))
    return expr_const(c->l->m, value, e->where);
  return expr_new(c->l->m, e->op, a, b, NULL, e->where);
}

expr *dve_lower_expr(const dve_context *c, const dve_expr *e)
{
  switch (e->kind) {
  case DVE_NUMBER:
    return expr_const(c->l->m, e->value, e->where);
  case DVE_VARIABLE:
    return lower_variable(c, e);
  case DVE_STATE:
    return lower_state(c, e);
  case DVE_UNARY:
  case DVE_BINARY:
    return lower_operator(c, e);
  }
  return NULL;
}

bool dve_lower_constant(const dve_context *c, const dve_expr *e,
                        const char *what, int32_t least, int32_t most,
                        int32_t *value)
{
  expr *found = dve_lower_expr(c, e);
  if (!found)
    return false;
  if (found->op != OP_CONST) {
    diag_error(c->l->diags, e->where, "%s must be a constant", what);
    return false;
  }
  *value = found->value;
  if (found->value >= least && found->value <= most)
    return true;
  diag_error(c->l->diags, e->where, "%s must be from %d to %d, not %d", what,
             least, most, found->value);
  return false;
}
