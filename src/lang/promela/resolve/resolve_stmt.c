/* Declarations and statements. */

#include "lang/promela/resolve/resolve_internal.h"
#include <string.h>

/*------------------------------------------------------------------------*/
/* Rules about values                                                      */

/* A constant of one mtype subtype is not a value of another. */
static void check_subtype(resolver *r, const pml_type_ref *type,
                          const char *name, const pml_expr *value)
{
  if (type->type != PML_MTYPE || !type->subtype || !value || !value->mtype)
    return;
  const pml_mtype *m = pml_table_get(&r->mtypes, value->name);
  if (m && m->subtype != type->subtype)
    diag_error(r->diags, value->where,
               "'%.64s' is of mtype%s%.64s, but '%.64s'"
               " is of mtype:%.64s",
               value->name, m->subtype ? ":" : "", m->subtype ? m->subtype : "",
               name, type->subtype);
}

/* Channels can be copied, but not be reckoned with. */
static void refuse_channels(resolver *r, const pml_expr *e, bool top)
{
  if (!e || e->kind == E_LEN || e->kind == E_RUN || e->kind == E_POLL ||
      e->probe)
    return;
  if (e->kind == E_REF) {
    if (!top && e->resolved && pml_target(e)->type.type == PML_CHAN)
      diag_error(r->diags, e->where,
                 "a channel cannot be part of an"
                 " expression");
    return;
  }
  refuse_channels(r, e->a, false);
  refuse_channels(r, e->b, false);
  refuse_channels(r, e->c, false);
}

static void refuse_runs(resolver *r, const pml_expr *e, const char *where)
{
  if (pml_count_runs(e))
    diag_error(r->diags, e->where, "'run' cannot be used in %s", where);
}

/*------------------------------------------------------------------------*/
/* Declarations                                                            */

/* 'int a[n]': SPIN takes the initial value of n, or 8 when it has none. */
static void array_size(resolver *r, pml_var *var)
{
  pml_expr *e = var->size_expr;
  if (!e)
    return;
  var->size = 8;
  if (!pml_resolve_ref(r, e, REF_VALUE))
    return;
  const pml_var *n = pml_target(e);
  if (n->init_kind == INIT_EXPR && n->init->kind == E_CONST &&
      n->init->value > 0)
    var->size = (uint32_t)n->init->value;
  diag_warn(r->diags, e->where,
            "the size of '%.64s' is not a constant: %u is"
            " taken",
            var->name, var->size);
}

/* The type, the initial value, then the name itself. */
void pml_resolve_declaration(resolver *r, pml_var *var)
{
  array_size(r, var);
  if (var->init_kind == INIT_EXPR && var->init) {
    pml_resolve_expr(r, var->init);
    refuse_runs(r, var->init, "an initial value");
    refuse_channels(r, var->init, true);
    check_subtype(r, &var->type, var->name, var->init);
  }
  if (var->init_kind == INIT_LIST && var->init_count > var->size)
    diag_warn(r->diags, var->where, "%u values for the %u element%s of '%.64s'",
              var->init_count, var->size, PLURAL(var->size), var->name);
  if (var->init_kind == INIT_CHAN)
    pml_flatten_types(r, var->chan);
  if (var->kind != PML_FIELD)
    pml_declare(r, var->name, var->where, var);
}

/*------------------------------------------------------------------------*/
/* Statements                                                              */

static void resolve_stmt(resolver *r, pml_stmt *stmt);

static void resolve_seq(resolver *r, pml_seq *seq)
{
  for (uint32_t i = 0; i < seq->count; i++)
    resolve_stmt(r, seq->stmts[i]);
}

/* A label's or goto's symbol: the scope in which its name was met first. */
static pml_scope *label_scope(resolver *r, const char *name, span where,
                              pml_scope *scope)
{
  const pml_sym *sym = pml_lookup(r, name);
  if (sym && sym->var) {
    diag_error(r->diags, where, "'%.64s' cannot be a label: it is a variable",
               name);
    if (sym->where.file)
      diag_note(r->diags, sym->where, "declared here");
    return scope;
  }
  if (!sym)
    sym = pml_declare(r, name, where, NULL);
  return sym->scope;
}

/* SPIN wants 'run' alone in a condition, so that it is evaluated once. */
static void check_condition(resolver *r, const pml_expr *e)
{
  uint32_t runs = pml_count_runs(e);
  if (runs > 1)
    diag_error(r->diags, e->where, "more than one 'run' in an expression");
  else if (runs && e->kind != E_RUN)
    diag_error(r->diags, e->where,
               "'run' must stand alone here, or be assigned"
               " to a variable");
}

static void resolve_assign(resolver *r, pml_stmt *stmt)
{
  bool good = pml_resolve_ref(r, stmt->a, REF_TARGET);
  pml_resolve_expr(r, stmt->b);
  if (r->proc->kind == PROC_NEVER && !r->told_side_effect) {
    r->told_side_effect = true;
    diag_warn(r->diags, stmt->where,
              "a never claim should not have side"
              " effects");
  }
  if (!good)
    return;
  const pml_var *var = pml_target(stmt->a);
  bool plain = stmt->a->step_count == 1; /* SPIN does not look into records */
  if (plain)
    check_subtype(r, &var->type, var->name, stmt->b);
  if (plain && var->type.type == PML_MTYPE && stmt->b->kind == E_CONST &&
      !stmt->b->mtype && stmt->b->value)
    diag_warn(r->diags, stmt->b->where,
              "'%.64s' is an mtype, and this is a number", var->name);
  if (plain && var->type.type == PML_CHAN && stmt->b->kind == E_CONST)
    diag_error(r->diags, stmt->where,
               "a constant cannot be assigned to a"
               " channel");
  if (stmt->generated &&
      (!plain || var->is_array || var->type.type == PML_CHAN)) {
    diag_error(r->diags, stmt->a->where,
               "the variable of 'for' and 'select'"
               " must be a plain scalar");
    stmt->a->kind = E_ERROR; /* told once for the whole loop */
  } else
    refuse_channels(r, stmt->b, true);
}

static void resolve_message(resolver *r, pml_stmt *stmt)
{
  bool good = pml_resolve_chan(r, stmt->a);
  bool trace = r->proc->kind == PROC_TRACE || r->proc->kind == PROC_NOTRACE;
  if (r->proc->kind == PROC_NEVER)
    diag_error(r->diags, stmt->where, "a never claim cannot send or receive");
  if (stmt->kind == S_RECV)
    pml_resolve_recv_args(r, &stmt->args, &stmt->arg_count);
  else {
    for (uint32_t i = 0; i < stmt->arg_count; i++)
      refuse_runs(r, stmt->args[i], "a message");
    pml_resolve_args(r, &stmt->args, &stmt->arg_count);
  }
  for (uint32_t i = 0; i < stmt->arg_count && stmt->kind == S_SEND; i++) {
    const pml_expr *e = stmt->args[i];
    if (!trace && e->kind == E_REF && e->resolved &&
        pml_target(e)->predef == PREDEF_SCRATCH)
      diag_error(r->diags, e->where, "'_' can be written but not read");
  }
  if (good)
    pml_put_aside(r, &r->messages, NULL, stmt);
}

/* One process at most may claim to be the only sender or receiver. */
static void claim(resolver *r, const pml_stmt *stmt, const pml_expr *e)
{
  const pml_var *chan = pml_target(e);
  for (pml_claim *c = r->claims; c; c = c->next)
    if (c->chan == chan && c->receive == stmt->receive && c->proc != r->proc)
      diag_error(r->diags, e->where,
                 "%s of '%.64s' is already claimed by"
                 " '%.64s'",
                 stmt->receive ? "xr" : "xs", chan->name, c->proc->name);
  pml_claim *mine = ARENA_NEW(r->mem, pml_claim);
  mine->chan = chan;
  mine->proc = r->proc;
  mine->receive = stmt->receive;
  mine->next = r->claims;
  r->claims = mine;
}

static void resolve_exclusive(resolver *r, pml_stmt *stmt)
{
  for (uint32_t i = 0; i < stmt->arg_count; i++) {
    pml_expr *e = stmt->args[i];
    /* An array stands for all its channels. */
    if (!pml_resolve_ref(r, e, REF_ARRAY))
      continue;
    if (pml_target(e)->type.type == PML_CHAN)
      claim(r, stmt, e);
    else
      diag_error(r->diags, e->where, "'%.64s' is not a channel",
                 pml_target(e)->name);
  }
}

/*------------------------------------------------------------------------*/
/* for (x in y)                                                            */

static pml_expr *reference(resolver *r, pml_var *var, span where)
{
  pml_expr *e = ARENA_NEW(r->mem, pml_expr);
  e->kind = E_REF;
  e->where = where;
  e->depth = 1;
  e->resolved = true;
  e->steps = ARENA_NEW(r->mem, pml_step);
  e->steps[0] = (pml_step){.name = var->name, .where = where, .var = var};
  e->step_count = 1;
  return e;
}

/* The counter of loops over channels; loops of the same block share one. */
static pml_var *loop_counter(resolver *r, const pml_stmt *stmt, uint32_t slots)
{
  for (size_t i = 0; i < r->extra.len; i++)
    if (r->extra.data[i]->scope == stmt->scope)
      return r->extra.data[i];
  pml_var *var = ARENA_NEW(r->mem, pml_var);
  var->name =
      name_of(r->names, arena_printf(r->mem, "_f0r_t3mp%s", stmt->scope->path));
  var->where = stmt->where;
  var->kind = PML_LOCAL;
  var->type.type = slots > 255 ? PML_SHORT : PML_BYTE;
  var->type.where = stmt->where;
  var->size = 1;
  var->generated = true;
  var->proc = r->proc;
  var->scope = stmt->scope;
  vec_push(&r->extra, var);
  return var;
}

/* The statements the parser made for this loop. */
typedef struct for_loop {
  pml_stmt *start, *loop, *condition, *receive, *send, *increment;
} for_loop;

/* for (i in array): i runs over the indices. */
static void over_array(for_loop *f, uint32_t size)
{
  pml_seq *body = f->loop->options[0];
  f->condition->a->b->value = (int32_t)(size - 1);
  memmove(body->stmts + 1, body->stmts + 3,
          (body->count - 3) * sizeof *body->stmts);
  body->count -= 2;
}

/* for (m in channel): each message is received and sent again. */
static void over_channel(resolver *r, for_loop *f, const pml_chan *chan)
{
  pml_var *counter = loop_counter(r, f->start, chan->size);
  pml_expr *ref = reference(r, counter, f->start->where);
  pml_expr *length = f->condition->a->b;
  f->start->a = f->increment->a = ref;
  f->increment->b->a = ref;
  f->condition->a->a = ref;
  f->condition->a->kind = E_LT;
  length->kind = E_LEN;
  length->a = f->loop->b;
  pml_exprs flat = {0};
  pml_flatten(r, &flat, f->loop->a);
  f->receive->args = f->send->args = flat.data;
  f->receive->arg_count = f->send->arg_count = flat.count;
}

/* A buffered channel of messages of the record's type. */
static bool carries(const pml_var *chan, bool indexed, const pml_record *record)
{
  return chan->type.type == PML_CHAN && chan->init_kind == INIT_CHAN &&
         chan->is_array == indexed && chan->chan->count == 1 &&
         chan->chan->types[0].record == record && chan->chan->size;
}

static bool rewrite_for_in(resolver *r, for_loop *f)
{
  pml_expr *a = f->loop->a, *b = f->loop->b;
  if (!pml_resolve_ref(r, a, REF_WHOLE) || !pml_resolve_ref(r, b, REF_ARRAY))
    return false;
  const pml_var *item = pml_target(a), *in = pml_target(b);
  const pml_record *record = item->type.record;
  if (a->step_count > 1 || b->step_count > 1)
    diag_error(r->diags, b->where, "'for (x in y)' takes plain names");
  else if (!record && !in->is_array)
    diag_error(r->diags, b->where, "'%.64s' is not an array", in->name);
  else if (!record) {
    over_array(f, in->size);
    return true;
  } else if (!carries(in, b->steps[0].index != NULL, record))
    diag_error(r->diags, b->where,
               "'%.64s' is not a buffered channel of"
               " messages of typedef '%.64s'",
               in->name, record->name);
  else {
    over_channel(r, f, in->chan);
    return true;
  }
  return false;
}

static void resolve_for_in(resolver *r, pml_stmt *start)
{
  pml_stmt *loop = start->loop;
  pml_seq *body = loop->options ? loop->options[0] : NULL;
  if (!body || body->count < 4)
    return;
  for_loop f = {start,          loop,           body->stmts[0],
                body->stmts[1], body->stmts[2], body->stmts[body->count - 1]};
  if (!rewrite_for_in(r, &f))
    loop->a->kind = loop->b->kind = E_ERROR; /* told once for the whole loop */
}

/*------------------------------------------------------------------------*/

static void resolve_parts(resolver *r, pml_stmt *stmt)
{
  for (uint32_t i = 0; i < stmt->option_count; i++)
    resolve_seq(r, stmt->options[i]);
  if (stmt->body)
    resolve_seq(r, stmt->body);
  if (stmt->escape)
    resolve_seq(r, stmt->escape);
}

static void resolve_kind(resolver *r, pml_stmt *stmt)
{
  switch (stmt->kind) {
  case S_DECL:
    for (uint32_t i = 0; i < stmt->var_count; i++)
      pml_resolve_declaration(r, stmt->vars[i]);
    break;
  case S_XU:
    resolve_exclusive(r, stmt);
    break;
  case S_EXPR:
    pml_resolve_expr(r, stmt->a);
    check_condition(r, stmt->a);
    break;
  case S_ASSIGN:
    if (stmt->loop)
      resolve_for_in(r, stmt);
    resolve_assign(r, stmt);
    break;
  case S_SEND:
  case S_RECV:
    resolve_message(r, stmt);
    break;
  case S_PRINTF:
    for (uint32_t i = 0; i < stmt->arg_count; i++)
      pml_resolve_expr(r, stmt->args[i]);
    break;
  case S_GOTO:
    stmt->scope = label_scope(r, stmt->name, stmt->where, stmt->scope);
    pml_put_aside(r, &r->gotos, NULL, stmt);
    break;
  case S_C_CODE:
  case S_C_DECL:
    pml_resolve_c(r, stmt->test, "c_code", stmt->where);
    pml_resolve_c(r, stmt->code, stmt->kind == S_C_CODE ? "c_code" : "c_decl",
                  stmt->where);
    break;
  case S_ASSERT:
  case S_PRINTM:
  case S_SET_PRIORITY:
    pml_resolve_expr(r, stmt->a);
    pml_resolve_expr(r, stmt->b);
    break;
  case S_BLOCK:
    if (stmt->result)
      pml_resolve_ref(r, stmt->result, REF_TARGET);
    resolve_parts(r, stmt);
    break;
  case S_IF:
  case S_DO:
  case S_ATOMIC:
  case S_DSTEP:
  case S_UNLESS:
    resolve_parts(r, stmt);
    break;
  case S_ELSE:
  case S_BREAK:
  case S_ERROR:
    break;
  }
}

static void resolve_stmt(resolver *r, pml_stmt *stmt)
{
  if (diags_full(r->diags))
    return;
  r->scope = stmt->scope;
  for (uint32_t i = 0; i < stmt->label_count; i++) {
    pml_label *label = stmt->labels[i];
    label->scope = label_scope(r, label->name, label->where, stmt->scope);
  }
  resolve_kind(r, stmt);
}

/* The counters of loops over channels become locals, too. */
static void add_extra(resolver *r, pml_proc *proc)
{
  if (!r->extra.len)
    return;
  size_t all = proc->local_count + r->extra.len;
  pml_var **locals = ARENA_ARRAY(r->mem, pml_var *, all);
  if (proc->local_count)
    memcpy(locals, proc->locals, proc->local_count * sizeof *locals);
  for (size_t i = 0; i < r->extra.len; i++) {
    r->extra.data[i]->index = proc->local_count;
    locals[proc->local_count++] = r->extra.data[i];
  }
  proc->locals = locals;
  vec_clear(&r->extra);
}

void pml_resolve_body(resolver *r, pml_proc *proc)
{
  pml_exprs flat = {0};
  r->proc = proc;
  r->scope = proc->body ? proc->body->scope : NULL;
  for (uint32_t i = 0; i < proc->param_count; i++) {
    pml_resolve_declaration(r, proc->params[i]);
    pml_flatten(r, &flat,
                reference(r, proc->params[i], proc->params[i]->where));
  }
  proc->param_refs = flat.data;
  proc->param_ref_count = flat.count;
  if (proc->provided)
    pml_resolve_expr(r, proc->provided);
  if (proc->body)
    resolve_seq(r, proc->body);
  add_extra(r, proc);
  pml_check_labels(r, proc);
  r->proc = NULL;
  r->scope = NULL;
}
