/* Names and references. */

#include "lang/promela/resolve/resolve_internal.h"
#include <string.h>

/*------------------------------------------------------------------------*/
/* The table of names                                                      */

static bool encloses(const pml_scope *outer, const pml_scope *inner)
{
  while (inner && inner->depth > outer->depth)
    inner = inner->parent;
  return inner == outer;
}

/* Blocks are left for good, so what is no longer visible is dropped. */
pml_sym *pml_lookup(resolver *r, const char *name)
{
  pml_sym *sym = pml_table_get(&r->syms, name);
  bool dropped = false;
  while (
      sym && sym->proc &&
      (sym->proc != r->proc || !r->scope || !encloses(sym->scope, r->scope))) {
    sym = sym->next;
    dropped = true;
  }
  if (dropped)
    pml_table_set(&r->syms, r->mem, name, sym);
  return sym;
}

/* SPIN knows no shadowing: a name that is visible cannot be declared again,
** not even in an inner block. */
pml_sym *pml_declare(resolver *r, const char *name, span where, pml_var *var)
{
  pml_sym *old = pml_lookup(r, name);
  if (old) {
    diag_error(r->diags, where, "'%.64s' is already %s", name,
               old->var && old->var->kind == PML_PREDEFINED ? "predefined"
               : old->var                                   ? "declared"
                                                            : "a label");
    if (old->where.file)
      diag_note(r->diags, old->where,
                old->var ? "declared here" : "the label is used here");
    return old;
  }
  pml_sym *sym = ARENA_NEW(r->mem, pml_sym);
  sym->next = pml_table_get(&r->syms, name);
  sym->var = var;
  sym->proc = r->proc;
  sym->scope = r->scope;
  sym->where = where;
  pml_table_set(&r->syms, r->mem, name, sym);
  return sym;
}

/* A formula sees no locals; tell how to refer to one. */
static bool suggest_local(resolver *r, const char *name)
{
  const promela_module *m = r->module;
  for (uint32_t i = 0; i < m->proc_count; i++)
    for (uint32_t k = 0; k < m->procs[i]->local_count; k++)
      if (m->procs[i]->kind == PROC_PROCTYPE &&
          m->procs[i]->locals[k]->name == name) {
        diag_note(r->diags, m->procs[i]->locals[k]->where,
                  "write '%.64s:%.64s' for the variable of proctype '%.64s'",
                  m->procs[i]->name, name, m->procs[i]->name);
        return true;
      }
  return false;
}

static void undeclared(resolver *r, const pml_step *step)
{
  /* A macro may use the same name several times; once is enough. */
  if (step->where.file &&
      !memcmp(&step->where, &r->last_undeclared, sizeof(span)))
    return;
  r->last_undeclared = step->where;
  diag_error(r->diags, step->where, "'%.64s' is not declared", step->name);
  if (!r->proc && suggest_local(r, step->name))
    return;
  const pml_slot *near = pml_table_nearest(&r->syms, step->name);
  const pml_sym *sym = near ? pml_lookup(r, near->name) : NULL;
  if (sym && sym->var && sym->where.file) {
    diag_note(r->diags, sym->where, "the nearest name is '%s'", near->name);
    return;
  }
  near = pml_table_nearest(&r->mtypes, step->name);
  const pml_mtype *symbol = near ? pml_table_get(&r->mtypes, near->name) : NULL;
  if (symbol)
    diag_note(r->diags, symbol->where, "the nearest name is '%s'", near->name);
}

/*------------------------------------------------------------------------*/
/* References                                                              */

/* An index belongs to an array and to nothing else. */
static bool check_index(resolver *r, pml_step *step, bool array_fine)
{
  const pml_var *var = step->var;
  if (step->index && !var->is_array) {
    if (step->index->kind == E_CONST && !step->index->value) {
      step->index = NULL;
      return true;
    }
    diag_error(r->diags, step->where, "'%.64s' is not an array", step->name);
    return false;
  }
  if (!step->index && var->is_array && !array_fine) {
    diag_error(r->diags, step->where,
               "'%.64s' is an array: its index is missing", step->name);
    return false;
  }
  if (step->index && var->is_array && step->index->kind == E_CONST &&
      (step->index->value < 0 || (uint32_t)step->index->value >= var->size))
    diag_warn(r->diags, step->where, "index %d is outside of '%.64s[%u]'",
              step->index->value, step->name, var->size);
  return true;
}

static bool resolve_field(resolver *r, const pml_step *of, pml_step *step)
{
  if (of->var->type.type != PML_RECORD) {
    diag_error(r->diags, step->where,
               "'%.64s' has no fields: it is not of a typedef type", of->name);
    return false;
  }
  const pml_record *record = of->var->type.record;
  const pml_table *fields = &r->fields[record->index];
  step->var = pml_table_get(fields, step->name);
  if (step->var)
    return true;
  diag_error(r->diags, step->where, "typedef '%.64s' has no field '%.64s'",
             record->name, step->name);
  const pml_slot *near = pml_table_nearest(fields, step->name);
  if (near)
    diag_note(r->diags, ((pml_var *)near->value)->where,
              "the nearest name is '%s'", near->name);
  return false;
}

static bool resolve_first(resolver *r, pml_step *step)
{
  const pml_sym *sym = pml_lookup(r, step->name);
  if (!sym) {
    undeclared(r, step);
    return false;
  }
  if (!sym->var) {
    diag_error(r->diags, step->where, "'%.64s' is a label, not a variable",
               step->name);
    return false;
  }
  step->var = sym->var;
  return true;
}

/* Who looks at the processes from outside has no number and no priority. */
static bool is_own(pml_predef predef)
{
  return predef == PREDEF_PID || predef == PREDEF_PRIORITY;
}

static bool check_use(resolver *r, const pml_expr *e, pml_ref_use use)
{
  const pml_step *last = &e->steps[e->step_count - 1];
  if (use == REF_VALUE && last->var->predef == PREDEF_SCRATCH) {
    diag_error(r->diags, e->where, "'_' can be written but not read");
    return false;
  }
  if (is_own(last->var->predef) && (!r->proc || r->proc->kind == PROC_NEVER)) {
    diag_error(r->diags, e->where, "'%s' may only be used in processes",
               last->name);
    return false;
  }
  if (use == REF_TARGET &&
      (last->var->predef == PREDEF_PID || last->var->predef == PREDEF_LAST ||
       last->var->predef == PREDEF_NR_PR)) {
    diag_error(r->diags, e->where, "'%s' cannot be written", last->name);
    return false;
  }
  if (last->var->type.type == PML_RECORD && use != REF_WHOLE) {
    diag_error(r->diags, e->where,
               "'%.64s' is of typedef '%.64s': name one of"
               " its fields",
               last->name, last->var->type.record->name);
    return false;
  }
  return true;
}

bool pml_resolve_ref(resolver *r, pml_expr *e, pml_ref_use use)
{
  if (e->kind != E_REF)
    return false;
  if (e->resolved)
    return check_use(r, e, use);
  bool good = true;
  for (uint32_t i = 0; i < e->step_count && good; i++) {
    pml_step *step = &e->steps[i];
    if (step->index)
      pml_resolve_expr(r, step->index);
    good = (i ? resolve_field(r, step - 1, step) : resolve_first(r, step)) &&
           check_index(r, step, use == REF_ARRAY && i + 1 == e->step_count);
  }
  e->resolved = good;
  if (!good)
    e->kind = E_ERROR;
  return good && check_use(r, e, use);
}

bool pml_resolve_chan(resolver *r, pml_expr *e)
{
  if (!pml_resolve_ref(r, e, REF_WHOLE))
    return false;
  if (pml_target(e)->type.type == PML_CHAN)
    return true;
  diag_error(r->diags, e->where, "'%.64s' is not a channel",
             e->steps[e->step_count - 1].name);
  return false;
}

/*------------------------------------------------------------------------*/
/* Records as lists of scalars                                             */

void pml_add_expr(resolver *r, pml_exprs *list, pml_expr *e)
{
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 8;
    pml_expr **bigger = ARENA_ARRAY(r->mem, pml_expr *, list->capacity);
    if (list->count)
      memcpy(bigger, list->data, list->count * sizeof *bigger);
    list->data = bigger;
  }
  list->data[list->count++] = e;
}

static pml_expr *constant(resolver *r, uint32_t value, span where)
{
  pml_expr *e = ARENA_NEW(r->mem, pml_expr);
  e->kind = E_CONST;
  e->value = (int32_t)value;
  e->where = where;
  e->depth = 1;
  return e;
}

/* 'e' with one more step to a field; 'index' NULL when it is not an array. */
static pml_expr *extend(resolver *r, const pml_expr *e, pml_var *to,
                        pml_expr *index)
{
  pml_expr *copy = ARENA_NEW(r->mem, pml_expr);
  *copy = *e;
  copy->steps = ARENA_ARRAY(r->mem, pml_step, e->step_count + 1);
  memcpy(copy->steps, e->steps, e->step_count * sizeof *e->steps);
  pml_step *last = &copy->steps[copy->step_count++];
  last->name = to->name;
  last->where = e->where;
  last->index = index;
  last->var = to;
  return copy;
}

static bool too_many(resolver *r, uint32_t count, span where)
{
  if (count < MAX_FIELDS)
    return false;
  if (!r->told_list)
    diag_error(r->diags, where, "more than %d values in one list", MAX_FIELDS);
  r->told_list = true;
  return true;
}

/* Adds 'e', a resolved reference, to a list: as it is when it is a scalar,
** else the scalars inside.  Records contain earlier ones only, so this ends. */
void pml_flatten(resolver *r, pml_exprs *list, pml_expr *e)
{
  const pml_var *var = pml_target(e);
  if (too_many(r, list->count, e->where))
    return;
  if (var->type.type != PML_RECORD) {
    pml_add_expr(r, list, e);
    return;
  }
  const pml_record *record = var->type.record;
  for (uint32_t i = 0; i < record->field_count; i++) {
    pml_var *to = record->fields[i];
    if (to->is_array && to->type.type == PML_RECORD) {
      if (!r->told_list)
        diag_error(r->diags, e->where,
                   "typedef '%.64s' cannot be in a list: its"
                   " field '%.64s' is an array of records",
                   record->name, to->name);
      r->told_list = true;
      return;
    }
    for (uint32_t k = 0; k < to->size; k++) {
      if (list->count >= MAX_FIELDS) {
        too_many(r, list->count, e->where);
        return;
      }
      pml_expr *index = to->is_array ? constant(r, k, e->where) : NULL;
      pml_flatten(r, list, extend(r, e, to, index));
    }
  }
}

/* The types of a channel's messages; a record's are those of its fields. */
void pml_flatten_types(resolver *r, pml_chan *chan)
{
  pml_exprs list = {0};
  for (uint32_t i = 0; i < chan->count; i++) {
    /* A reference to a variable of the type, to have its fields listed. */
    pml_var *var = ARENA_NEW(r->mem, pml_var);
    var->type = chan->types[i];
    var->size = 1;
    pml_expr *e = ARENA_NEW(r->mem, pml_expr);
    e->kind = E_REF;
    e->where = chan->types[i].where;
    e->steps = ARENA_NEW(r->mem, pml_step);
    e->steps[0].var = var;
    e->step_count = 1;
    pml_flatten(r, &list, e);
  }
  chan->flat = ARENA_ARRAY(r->mem, pml_type_ref, list.count);
  chan->flat_count = list.count;
  for (uint32_t i = 0; i < list.count; i++)
    chan->flat[i] = pml_target(list.data[i])->type;
  promela_module *m = r->module;
  if (chan->flat_count > m->max_fields)
    m->max_fields = chan->flat_count;
  if (!chan->size && !m->rendezvous)
    m->rendezvous = chan;
}
