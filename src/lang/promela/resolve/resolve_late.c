/* What can be checked only when everything was seen: processes that are run,
** labels, remote references, lengths of messages. */

#include "lang/promela/resolve/resolve_internal.h"
#include <string.h>

void pml_put_aside(resolver *r, pml_late_list *list, pml_expr *e, pml_stmt *s)
{
  pml_late *late = ARENA_NEW(r->mem, pml_late);
  late->expr = e;
  late->stmt = s;
  late->proc = r->proc;
  if (!list->end)
    list->end = &list->first;
  *list->end = late;
  list->end = &late->next;
}

/*------------------------------------------------------------------------*/
/* Labels                                                                  */

static pml_label_list *labels_named(resolver *r, const pml_proc *proc,
                                    const char *name)
{
  return pml_table_get(&r->labels[proc->index], name);
}

/* Gathers the labels of a process by name.  The same label twice in one scope
** is an error, unless one stands in an inline and the other does not. */
void pml_check_labels(resolver *r, pml_proc *proc)
{
  pml_table *table = &r->labels[proc->index];
  for (uint32_t i = 0; i < proc->label_count; i++) {
    pml_label *label = proc->labels[i];
    pml_label_list *others = pml_table_get(table, label->name);
    for (pml_label_list *o = others; o; o = o->next)
      if (o->label->scope == label->scope &&
          o->label->inline_id == label->inline_id) {
        diag_error(r->diags, label->where, "label '%.64s' is defined twice",
                   label->name);
        diag_note(r->diags, o->label->where, "the first definition");
        break;
      }
    pml_label_list *entry = ARENA_NEW(r->mem, pml_label_list);
    entry->label = label;
    entry->next = others;
    pml_table_set(table, r->mem, label->name, entry);
  }
}

static bool inside(const pml_scope *scope, const pml_scope *outer)
{
  while (scope && scope->depth > outer->depth)
    scope = scope->parent;
  return scope == outer;
}

/* SPIN's choice among labels of the same name: one in the very scope of the
** goto, else the oldest in a scope around it, else the newest of all. */
static pml_label *choose(const pml_label_list *labels, const pml_scope *scope)
{
  pml_label *found = NULL;
  for (; labels; labels = labels->next) {
    if (labels->label->scope == scope)
      return labels->label;
    if (!found || inside(scope, labels->label->scope))
      found = labels->label;
  }
  return found;
}

static void resolve_goto(resolver *r, pml_late *late)
{
  pml_stmt *stmt = late->stmt;
  stmt->target = choose(labels_named(r, late->proc, stmt->name), stmt->scope);
  if (stmt->target)
    return;
  diag_error(r->diags, stmt->where, "there is no label '%.64s'", stmt->name);
  const pml_slot *near =
      pml_table_nearest(&r->labels[late->proc->index], stmt->name);
  if (near)
    diag_note(r->diags, ((pml_label_list *)near->value)->label->where,
              "the nearest name is '%s'", near->name);
}

/*------------------------------------------------------------------------*/
/* Processes                                                               */

static void resolve_run(resolver *r, pml_late *late)
{
  pml_expr *e = late->expr;
  e->proc = pml_table_get(&r->procs, e->name);
  if (!e->proc) {
    diag_error(r->diags, e->where, "there is no proctype '%.64s'", e->name);
    const pml_slot *near = pml_table_nearest(&r->procs, e->name);
    if (near)
      diag_note(r->diags, ((pml_proc *)near->value)->where,
                "the nearest name is '%s'", near->name);
    return;
  }
  if (e->arg_count != e->proc->param_ref_count) {
    uint32_t want = e->proc->param_ref_count;
    diag_error(r->diags, e->where,
               "proctype '%.64s' has %u parameter%s, this"
               " 'run' has %u argument%s",
               e->name, want, PLURAL(want), e->arg_count, PLURAL(e->arg_count));
    diag_note(r->diags, e->proc->where, "defined here");
  }
}

/* Only variables of the outermost block have a name from outside; when there
** is none, the first one of that name is meant. */
static pml_var *find_local(const pml_proc *proc, const char *name)
{
  pml_var *found = NULL;
  for (uint32_t i = 0; i < proc->local_count; i++) {
    pml_var *var = proc->locals[i];
    if (var->name != name)
      continue;
    if (!var->scope || !var->scope->parent)
      return var;
    if (!found)
      found = var;
  }
  return found;
}

static void remote_variable(resolver *r, pml_expr *e)
{
  pml_step *step = &e->steps[0];
  step->var = find_local(e->proc, step->name);
  if (!step->var)
    diag_error(r->diags, step->where,
               "proctype '%.64s' has no variable"
               " '%.64s'",
               e->name, step->name);
  else if (step->var->is_array && !step->index)
    diag_error(r->diags, step->where,
               "'%.64s' is an array: its index is"
               " missing",
               step->name);
  else if (!step->var->is_array && step->index)
    diag_error(r->diags, step->where, "'%.64s' is not an array", step->name);
  else if (step->var->type.type == PML_RECORD)
    diag_error(r->diags, step->where,
               "'%.64s' is of a typedef type: only"
               " scalars can be referred to from outside",
               step->name);
}

/* Of several labels of one name the oldest is meant. */
static void remote_label(resolver *r, pml_expr *e)
{
  const pml_label_list *labels = labels_named(r, e->proc, e->label_name);
  for (; labels; labels = labels->next)
    e->label = labels->label;
  if (!e->label)
    diag_error(r->diags, e->where, "proctype '%.64s' has no label '%.64s'",
               e->name, e->label_name);
}

static void resolve_remote(resolver *r, pml_late *late)
{
  pml_expr *e = late->expr;
  e->proc = pml_table_get(&r->procs, e->name);
  if (!e->proc)
    diag_error(r->diags, e->where, "there is no proctype '%.64s'", e->name);
  else if (e->kind == E_REMOTE_LABEL)
    remote_label(r, e);
  else
    remote_variable(r, e);
}

/*------------------------------------------------------------------------*/
/* Messages                                                                */

static bool is_channel(const pml_expr *e)
{
  return e->kind == E_REF && e->resolved && !pml_target(e)->predef &&
         pml_target(e)->type.type == PML_CHAN;
}

/* Warns of numbers where symbols belong, and of channels where none do: all are
** bytes, so nothing else would notice.  That a symbol is sent as a number is an
** old habit, and fine. */
static void check_fields(resolver *r, const pml_var *var, pml_expr *const *args,
                         uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const pml_expr *e = args[i]->kind == E_EVAL ? args[i]->a : args[i];
    bool constant = e->kind == E_CONST && e->value;
    pml_type type = var->chan->flat[i].type;
    if (type == PML_MTYPE && constant && !e->mtype)
      diag_warn(r->diags, e->where,
                "this is a number, but field %u of '%.64s' is an mtype", i + 1,
                var->name);
    else if (type == PML_CHAN && constant)
      diag_warn(r->diags, e->where,
                "this is no channel, but field %u of '%.64s' is one", i + 1,
                var->name);
    else if (type != PML_CHAN && is_channel(e))
      diag_warn(r->diags, e->where,
                "this is a channel, but field %u of '%.64s' is none", i + 1,
                var->name);
  }
}

/* A send of more values than any channel has fields is refused.  Any other
** length that differs from that of the channel at hand, as far as it is known,
** is an error of who executes it, and a warning before. */
static void check_message(resolver *r, pml_late *late)
{
  const pml_expr *chan = late->expr ? late->expr->a : late->stmt->a;
  uint32_t count = late->expr ? late->expr->arg_count : late->stmt->arg_count;
  if (chan->kind != E_REF || !chan->resolved)
    return;
  bool refused = count > r->module->max_fields && !late->expr &&
                 late->stmt->kind == S_SEND;
  span where = late->expr ? late->expr->where : late->stmt->where;
  const pml_var *var = pml_target(chan);
  if (!strcmp(var->name, "STDIN"))
    return; /* reads characters; has no declared fields */
  if (var->init_kind != INIT_CHAN) {
    if (count > r->module->max_fields)
      diag_report(r->diags, refused ? DIAG_ERROR : DIAG_WARNING, where,
                  "%u value%s, but no channel has more than %u"
                  " field%s",
                  count, PLURAL(count), r->module->max_fields,
                  PLURAL(r->module->max_fields));
    return;
  }
  uint32_t fields = var->chan->flat_count;
  if (count == fields) {
    check_fields(r, var, late->expr ? late->expr->args : late->stmt->args,
                 count);
    return;
  }
  diag_report(r->diags, refused ? DIAG_ERROR : DIAG_WARNING, where,
              "%u value%s for channel '%.64s', which has %u field%s", count,
              PLURAL(count), var->name, fields, PLURAL(fields));
  if (refused)
    diag_note(r->diags, var->where, "declared here");
}

void pml_resolve_late(resolver *r)
{
  for (pml_late *l = r->runs.first; l; l = l->next)
    resolve_run(r, l);
  for (pml_late *l = r->gotos.first; l; l = l->next)
    resolve_goto(r, l);
  for (pml_late *l = r->remotes.first; l; l = l->next)
    resolve_remote(r, l);
  for (pml_late *l = r->messages.first; l; l = l->next)
    check_message(r, l);
}
