/* Goes through the units of a file in order; declarations, statements and
** expressions are in the other files of the folder. */

#include "lang/promela/resolve/resolve.h"
#include "lang/promela/resolve/resolve_internal.h"
#include <stdlib.h>
#include <string.h>

/*------------------------------------------------------------------------*/
/* Before and after the walk                                               */

static void predefine(resolver *r, const char *name, pml_predef which,
                      pml_type type)
{
  pml_var *var = ARENA_NEW(r->mem, pml_var);
  var->name = name_of(r->names, name);
  var->kind = PML_PREDEFINED;
  var->predef = which;
  var->type.type = type;
  var->size = 1;
  pml_declare(r, var->name, NO_SPAN, var);
}

static void start(resolver *r)
{
  promela_module *m = r->module;
  r->fields = ARENA_ARRAY(r->mem, pml_table, m->record_count);
  r->labels = ARENA_ARRAY(r->mem, pml_table, m->proc_count);
  for (uint32_t i = 0; i < m->mtype_count; i++)
    pml_table_set(&r->mtypes, r->mem, m->mtypes[i].name, &m->mtypes[i]);
  for (uint32_t i = 0; i < m->proc_count; i++)
    if (m->procs[i]->kind == PROC_PROCTYPE)
      pml_table_set(&r->procs, r->mem, m->procs[i]->name, m->procs[i]);
  predefine(r, "_", PREDEF_SCRATCH, PML_INT);
  predefine(r, "_pid", PREDEF_PID, PML_BYTE);
  predefine(r, "_last", PREDEF_LAST, PML_BYTE);
  predefine(r, "_nr_pr", PREDEF_NR_PR, PML_BYTE);
  predefine(r, "_priority", PREDEF_PRIORITY, PML_BYTE);
}

/* As in SPIN, nobody can tell whether a process is enabled that waits for a
** partner. */
static void check_enabled(resolver *r)
{
  const promela_module *m = r->module;
  if (!r->enabled || !m->rendezvous)
    return;
  diag_error(r->diags, r->enabled->where,
             "enabled () cannot be used together"
             " with rendezvous channels");
  diag_note(r->diags, m->rendezvous->where, "a rendezvous channel");
}

/* A model in which nothing ever runs is a mistake, as in SPIN. */
static void check_module(resolver *r)
{
  const promela_module *m = r->module;
  check_enabled(r);
  for (uint32_t i = 0; i < m->proc_count; i++)
    if (m->procs[i]->active)
      return;
  diag_error(r->diags, (span){m->file, 0, 0},
             "nothing runs: there is neither 'init' nor an active proctype");
}

/*------------------------------------------------------------------------*/
/* Units                                                                   */

static void resolve_record(resolver *r, pml_record *record)
{
  pml_table *fields = &r->fields[record->index];
  for (uint32_t i = 0; i < record->field_count; i++) {
    pml_var *field = record->fields[i];
    pml_resolve_declaration(r, field);
    const pml_var *old = pml_table_get(fields, field->name);
    if (old) {
      diag_error(r->diags, field->where, "field '%.64s' is declared twice",
                 field->name);
      diag_note(r->diags, old->where, "the first declaration");
    } else
      pml_table_set(fields, r->mem, field->name, field);
  }
}

/* 'active [n]': the initial value of n, which must be a constant. */
static void resolve_active(resolver *r, pml_proc *proc)
{
  pml_expr *e = proc->active_expr;
  if (!e || !pml_resolve_ref(r, e, REF_VALUE))
    return;
  const pml_var *n = pml_target(e);
  if (n->init_kind == INIT_NONE)
    return;
  if (n->init_kind != INIT_EXPR || n->init->kind != E_CONST)
    diag_error(r->diags, e->where, "'%.64s' has no constant initial value",
               n->name);
  else if (n->init->value < 0 || n->init->value > 255)
    diag_error(r->diags, e->where, "0 to 255 processes can be active, not %d",
               n->init->value);
  else
    proc->active = (uint32_t)n->init->value;
}

/* What 'provided' speaks of must be known outside of the process. */
static void check_provided(resolver *r, const pml_expr *e)
{
  if (!e)
    return;
  if (e->kind == E_REF) {
    const pml_var *var = e->resolved ? e->steps[0].var : NULL;
    if (var && (var->kind == PML_LOCAL || var->kind == PML_PARAM))
      diag_error(r->diags, e->where,
                 "'provided' can use global variables"
                 " only, '%.64s' is local",
                 var->name);
    return;
  }
  if (e->kind == E_RUN || e->kind == E_REMOTE_LABEL || e->kind == E_REMOTE_VAR)
    diag_error(r->diags, e->where, "this cannot be used in 'provided'");
  check_provided(r, e->a);
  check_provided(r, e->b);
  check_provided(r, e->c);
}

static void resolve_proc(resolver *r, pml_proc *proc)
{
  resolve_active(r, proc);
  if (proc->kind == PROC_PROCTYPE) {
    const pml_sym *old = pml_lookup(r, proc->name);
    if (old && old->var) {
      diag_error(r->diags, proc->where, "'%.64s' is already declared",
                 proc->name);
      if (old->where.file)
        diag_note(r->diags, old->where, "declared here");
    }
  }
  pml_resolve_body(r, proc);
  check_provided(r, proc->provided);
}

static void resolve_c(resolver *r, const pml_c_unit *c)
{
  static const char *const words[] = {"c_code", "c_decl", "c_state", "c_track"};
  if (c->code)
    pml_resolve_c(r, c->code, words[c->kind], c->where);
  else
    pml_c_allowed(r, words[c->kind], c->where);
}

static void resolve_units(resolver *r)
{
  const promela_module *m = r->module;
  for (uint32_t i = 0; i < m->unit_count && !diags_full(r->diags); i++) {
    const pml_unit *unit = &m->units[i];
    switch (unit->kind) {
    case UNIT_VARS:
      for (uint32_t k = 0; k < unit->vars->var_count; k++)
        pml_resolve_declaration(r, unit->vars->vars[k]);
      break;
    case UNIT_RECORD:
      resolve_record(r, unit->record);
      break;
    case UNIT_PROC:
      resolve_proc(r, unit->proc);
      break;
    case UNIT_C:
      resolve_c(r, unit->c);
      break;
    case UNIT_LTL:
      break;
    }
  }
}

static void resolve_formulas(resolver *r)
{
  const promela_module *m = r->module;
  for (uint32_t i = 0; i < m->ltl_count; i++) {
    for (uint32_t k = 0; k < i; k++)
      if (m->ltls[k]->name == m->ltls[i]->name)
        diag_error(r->diags, m->ltls[i]->where, "ltl '%.64s' is defined twice",
                   m->ltls[i]->name);
    pml_resolve_expr(r, m->ltls[i]->formula);
  }
}

void promela_resolve_formula(arena *mem, names *all_names, diags *messages,
                             promela_module *module, pml_expr *formula)
{
  resolver *r = ARENA_NEW(mem, resolver);
  r->mem = mem;
  r->names = all_names;
  r->diags = messages;
  r->module = module;
  r->is_late = true;
  start(r);
  for (uint32_t i = 0; i < module->record_count; i++) {
    pml_record *record = module->records[i];
    for (uint32_t k = 0; k < record->field_count; k++)
      pml_table_set(&r->fields[i], mem, record->fields[k]->name,
                    record->fields[k]);
  }
  for (uint32_t i = 0; i < module->global_count; i++) {
    pml_var *var = module->globals[i];
    pml_declare(r, var->name, var->where, var);
  }
  for (uint32_t i = 0; i < module->proc_count; i++)
    pml_check_labels(r, module->procs[i]);
  pml_resolve_expr(r, formula);
  pml_resolve_late(r);
  check_enabled(r);
}

static void resolve_all(void *work)
{
  resolver *r = work;
  start(r);
  resolve_units(r);
  resolve_formulas(r);
  pml_resolve_late(r);
  check_module(r);
}

static void tidy_resolver(void *work)
{
  vec_free(&((resolver *)work)->extra);
}

void promela_resolve(arena *mem, names *all_names, diags *messages,
                     promela_module *module)
{
  resolver *r = ARENA_NEW(mem, resolver);
  r->mem = mem;
  r->names = all_names;
  r->diags = messages;
  r->module = module;
  mem_protect_tidy(resolve_all, tidy_resolver, r);
}
