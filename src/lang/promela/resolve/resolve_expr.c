/* Expressions and lists of arguments. */

#include "lang/promela/resolve/resolve_internal.h"

bool pml_c_allowed(resolver *r, const char *word, span where)
{
  if (r->module->allow_c && !r->is_late)
    return true;
  if (!r->told_c && r->is_late)
    diag_error(r->diags, where, "%s can only be used in the model itself",
               word);
  else if (!r->told_c)
    diag_error(r->diags, where,
               "%s: C inside a model runs with all your rights, so it is "
               "refused unless you trust the model and say --allow-c",
               word);
  r->told_c = true;
  return false;
}

void pml_resolve_c(resolver *r, pml_c_code *c, const char *word, span where)
{
  promela_module *m = r->module;
  if (!c || c->resolved || !pml_c_allowed(r, word, where))
    return;
  c->resolved = true;
  c->proc = r->proc;
  c->index = m->code_count++;
  *m->codes_end = c;
  m->codes_end = &c->next;
}

uint32_t pml_count_runs(const pml_expr *e)
{
  if (!e)
    return 0;
  return (e->kind == E_RUN) + pml_count_runs(e->a) + pml_count_runs(e->b) +
         pml_count_runs(e->c);
}

/* Expressions in message and 'run' lists; records are taken apart. */
void pml_resolve_args(resolver *r, pml_expr ***args, uint32_t *count)
{
  pml_exprs flat = {0};
  for (uint32_t i = 0; i < *count; i++) {
    pml_expr *e = (*args)[i];
    if (e->kind != E_REF) {
      pml_resolve_expr(r, e);
      pml_add_expr(r, &flat, e);
    } else if (pml_resolve_ref(r, e, REF_WHOLE))
      pml_flatten(r, &flat, e);
  }
  *args = flat.data;
  *count = flat.count;
}

/* Receive arguments: variables to be filled, constants, eval (...). */
void pml_resolve_recv_args(resolver *r, pml_expr ***args, uint32_t *count)
{
  pml_exprs flat = {0};
  for (uint32_t i = 0; i < *count; i++) {
    pml_expr *e = (*args)[i];
    if (e->kind == E_EVAL)
      pml_resolve_expr(r, e->a);
    if (e->kind != E_REF)
      pml_add_expr(r, &flat, e);
    else if (pml_resolve_ref(r, e, REF_WHOLE) &&
             (pml_target(e)->type.type == PML_RECORD ||
              pml_resolve_ref(r, e, REF_TARGET)))
      pml_flatten(r, &flat, e);
  }
  *args = flat.data;
  *count = flat.count;
}

/* SPIN warns once about each of these in a proctype. */
static void warn_outside_claim(resolver *r, const pml_expr *e, bool *told)
{
  if (*told || !r->proc || r->proc->kind == PROC_NEVER)
    return;
  *told = true;
  diag_warn(r->diags, e->where, "%s outside of a never claim",
            e->kind == E_ENABLED ? "enabled ()" : "pc_value ()");
}

static void resolve_run(resolver *r, pml_expr *e)
{
  pml_resolve_args(r, &e->args, &e->arg_count);
  pml_put_aside(r, &r->runs, e, NULL);
}

static void resolve_remote(resolver *r, pml_expr *e)
{
  if (e->a)
    pml_resolve_expr(r, e->a);
  if (e->kind == E_REMOTE_VAR && e->steps[0].index)
    pml_resolve_expr(r, e->steps[0].index);
  pml_put_aside(r, &r->remotes, e, NULL);
}

static void resolve_poll(resolver *r, pml_expr *e)
{
  pml_resolve_chan(r, e->a);
  pml_resolve_recv_args(r, &e->args, &e->arg_count);
  pml_put_aside(r, &r->messages, e, NULL);
}

static void resolve_nonprogress(resolver *r, const pml_expr *e)
{
  if (r->proc && r->proc->kind != PROC_NEVER)
    diag_error(r->diags, e->where,
               "'np_' may only be used in never claims and"
               " ltl formulas");
}

void pml_resolve_expr(resolver *r, pml_expr *e)
{
  if (!e)
    return;
  switch (e->kind) {
  case E_CONST:
  case E_TIMEOUT:
  case E_ERROR:
    break;
  case E_REF:
    pml_resolve_ref(r, e, REF_VALUE);
    break;
  case E_RUN:
    resolve_run(r, e);
    break;
  case E_REMOTE_LABEL:
  case E_REMOTE_VAR:
    resolve_remote(r, e);
    break;
  case E_POLL:
    resolve_poll(r, e);
    break;
  case E_LEN:
  case E_EMPTY:
  case E_NEMPTY:
  case E_FULL:
  case E_NFULL:
    pml_resolve_chan(r, e->a);
    break;
  case E_NONPROGRESS:
    resolve_nonprogress(r, e);
    break;
  case E_C_EXPR:
    pml_resolve_c(r, e->code, "c_expr", e->where);
    break;
  case E_ENABLED:
    if (!r->enabled)
      r->enabled = e;
    /* fall through */
  case E_PC_VALUE:
    warn_outside_claim(
        r, e, e->kind == E_ENABLED ? &r->told_enabled : &r->told_pc_value);
    pml_resolve_expr(r, e->a);
    break;
  default:
    pml_resolve_expr(r, e->a);
    pml_resolve_expr(r, e->b);
    pml_resolve_expr(r, e->c);
    break;
  }
}
