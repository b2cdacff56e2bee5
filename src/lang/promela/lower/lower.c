/* From the resolved tree to the model: declarations, processes, properties. */

#include "lang/promela/lower/lower.h"

#include "base/alloc.h"
#include "lang/promela/promela.h"

#include <string.h>

/* ---- types and variables ---------------------------------------------- */

type lower_type(lower *l, const pml_type_ref *t)
{
  switch (t->type) {
  case PML_BIT:
    return type_scalar(TYPE_BIT);
  case PML_BYTE:
    return type_scalar(TYPE_BYTE);
  case PML_SHORT:
    return type_scalar(TYPE_SHORT);
  case PML_INT:
    return type_scalar(TYPE_INT);
  case PML_MTYPE:
    return type_scalar(TYPE_MTYPE);
  case PML_CHAN:
    return type_scalar(TYPE_CHAN);
  case PML_UNSIGNED:
    return type_unsigned(t->width);
  case PML_RANGE:
    return type_range(t->lo, t->hi);
  case PML_RECORD:
    return type_record(l->records[t->record->index]);
  case PML_NONE:
    break;
  }
  return type_scalar(TYPE_INT);
}

static channel_type *lower_channel(lower *l, const pml_var *v)
{
  const pml_chan *c = v->chan;
  channel_type *t = model_add_channel_type(l->m, v->name, c->size, c->where);
  for (uint32_t i = 0; i < c->flat_count; i++)
    vec_push(&t->fields, lower_type(l, &c->flat[i]));
  return t;
}

static void describe(var *v, const pml_var *from)
{
  v->length = from->size ? from->size : 1;
  v->mtype_set = from->type.subtype;
  v->flags |= (from->hidden ? VAR_HIDDEN : 0) | (from->show ? VAR_SHOW : 0) |
              (from->local ? VAR_LOCAL : 0) | (from->is_array ? VAR_ARRAY : 0) |
              (from->generated ? VAR_SCRATCH : 0) |
              (from->kind == PML_PARAM ? VAR_PARAM : 0);
}

/* Initial values may use what was declared before, so they are lowered when
** all variables exist.  The last value of a short list is repeated. */
static void initialise(lower *l, var *v, const pml_var *from)
{
  if (from->init_kind == INIT_CHAN) {
    v->init_channel = lower_channel(l, from);
  } else if (from->assigned_at) {
    return;
  } else if (from->init_kind == INIT_EXPR) {
    vec_push(&v->init, lower_expr(l, from->init));
  } else if (from->init_kind == INIT_LIST) {
    uint32_t last = from->init_count - 1;
    for (uint32_t i = 0; i < v->length; i++)
      vec_push(&v->init, expr_const(l->m, from->init_list[i < last ? i : last],
                                    from->where));
  } else if (from->type.type == PML_RANGE && from->type.lo < 0 &&
             from->type.hi >= 0) {
    /* As every variable it begins with 0; without this, with its lowest. */
    vec_push(&v->init, expr_const(l->m, 0, from->where));
  }
}

static void lower_records(lower *l)
{
  const promela_module *mod = l->module;
  l->records = ARENA_ARRAY(l->arena, record *, mod->record_count);
  for (uint32_t i = 0; i < mod->record_count; i++) {
    const pml_record *from = mod->records[i];
    record *r = model_add_record(l->m, from->name, from->where);
    l->records[i] = r;
    for (uint32_t k = 0; k < from->field_count; k++) {
      const pml_var *f = from->fields[k];
      var *v =
          model_add_field(l->m, r, f->name, lower_type(l, &f->type), f->where);
      describe(v, f);
      if (f->type.type == PML_RANGE)
        initialise(l, v, f);
    }
  }
}

static void lower_globals(lower *l)
{
  const promela_module *mod = l->module;
  l->globals = ARENA_ARRAY(l->arena, var *, mod->global_count);
  for (uint32_t i = 0; i < mod->global_count; i++) {
    const pml_var *from = mod->globals[i];
    l->globals[i] = model_add_global(l->m, from->name,
                                     lower_type(l, &from->type), from->where);
    describe(l->globals[i], from);
  }
}

static void lower_local(lower *l, lower_proc *p, const pml_var *from)
{
  var *v = model_add_local(l->m, p->type, from->name,
                           lower_type(l, &from->type), from->where);
  describe(v, from);
  p->locals[from->index] = v;
}

/* A scalar parameter, or one field of a record: then it is called 'r.f'. */
static void lower_parameter(lower *l, lower_proc *p, const pml_expr *e)
{
  const pml_var *from = e->steps->var, *target = pml_target(e);
  const char *name = from->name;
  for (uint32_t i = 1; i < e->step_count; i++) {
    name = arena_printf(l->arena, "%s.%s", name, e->steps[i].name);
    if (e->steps[i].var->is_array)
      diag_error(l->diags, from->where, "parameter '%s' has an array inside",
                 from->name);
  }
  var *v = model_add_local(l->m, p->type, name, lower_type(l, &target->type),
                           from->where);
  describe(v, target);
  v->flags |= VAR_PARAM;
  if (e->step_count == 1)
    p->locals[from->index] = v;
  else if (p->flat[from->index] == NO_PLACE)
    p->flat[from->index] = v->index;
}

/* Parameters come first. */
static void lower_locals(lower *l, lower_proc *p)
{
  const pml_proc *proc = p->proc;
  p->locals = ARENA_ARRAY(l->arena, var *, proc->local_count);
  p->flat = ARENA_ARRAY(l->arena, uint32_t, proc->local_count);
  for (uint32_t i = 0; i < proc->local_count; i++)
    p->flat[i] = NO_PLACE;
  for (uint32_t i = 0; i < proc->param_ref_count; i++)
    lower_parameter(l, p, proc->param_refs[i]);
  p->type->parameters = proc->param_ref_count;
  for (uint32_t i = 0; i < proc->local_count; i++)
    if (!p->locals[i] && p->flat[i] == NO_PLACE)
      lower_local(l, p, proc->locals[i]);
}

static void initialise_all(lower *l)
{
  const promela_module *mod = l->module;
  for (uint32_t i = 0; i < mod->record_count; i++)
    for (uint32_t k = 0; k < mod->records[i]->field_count; k++)
      initialise(l, l->records[i]->fields.data[k], mod->records[i]->fields[k]);
  for (uint32_t i = 0; i < mod->global_count; i++)
    initialise(l, l->globals[i], mod->globals[i]);
  for (uint32_t i = 0; i < mod->proc_count; i++)
    for (uint32_t k = 0; k < mod->procs[i]->local_count; k++)
      if (l->procs[i].locals[k])
        initialise(l, l->procs[i].locals[k], mod->procs[i]->locals[k]);
}

static void lower_mtypes(lower *l)
{
  for (uint32_t i = 0; i < l->module->mtype_count; i++) {
    const pml_mtype *from = &l->module->mtypes[i];
    mtype_name n = {from->name, from->value, from->subtype};
    vec_push(&l->m->mtypes, n);
  }
}

/* ---- processes -------------------------------------------------------- */

static process_kind kind_of(pml_proc_kind kind)
{
  switch (kind) {
  case PROC_PROCTYPE:
    return PROCESS_NORMAL;
  case PROC_INIT:
    return PROCESS_INIT;
  case PROC_NEVER:
    return PROCESS_NEVER;
  case PROC_TRACE:
    return PROCESS_TRACE;
  case PROC_NOTRACE:
    return PROCESS_NOTRACE;
  }
  return PROCESS_NORMAL;
}

static void lower_process(lower *l, lower_proc *p, const pml_proc *proc)
{
  p->proc = proc;
  p->type =
      model_add_process(l->m, proc->name, kind_of(proc->kind), proc->where);
  if (proc->priority)
    p->type->priority = proc->priority;
  if (proc->kind == PROC_PROCTYPE || proc->kind == PROC_INIT) {
    p->type->active = proc->active;
    for (uint32_t i = 0; i < proc->active; i++)
      vec_push(&l->m->initial, p->type);
  }
  lower_locals(l, p);
}

/* A label on a jump has no place of its own, unless somebody asks for it.
** SPIN gives it one when it reads the question. */
static void observe_labels(void *context, const pml_expr *e)
{
  lower *l = context;
  if (!e)
    return;
  if (e->kind == E_REMOTE_LABEL) {
    flow *f = l->procs[e->proc->index].flow;
    if (f)
      flow_observe(f, e->label, &l->next_id);
  }
  observe_labels(context, e->a);
  observe_labels(context, e->b);
  observe_labels(context, e->c);
  for (uint32_t i = 0; i < e->arg_count; i++)
    observe_labels(context, e->args[i]);
}

/* Control flow, numbered in the order of the source. */
static bool lower_flows(lower *l)
{
  const promela_module *mod = l->module;
  size_t before = diags_errors(l->diags);
  flow_numbers numbers = {&l->next_id, observe_labels, l};
  for (uint32_t i = 0; i < mod->unit_count; i++) {
    const pml_unit *u = &mod->units[i];
    if (u->kind == UNIT_LTL)
      observe_labels(l, u->ltl->formula);
    if (u->kind != UNIT_PROC)
      continue;
    observe_labels(l, u->proc->provided);
    lower_proc *p = &l->procs[u->proc->index];
    p->flow = flow_build(l->arena, l->diags, u->proc, &numbers);
    p->type->first_number = p->flow->first_id;
  }
  if (diags_errors(l->diags) > before)
    return false;
  for (uint32_t i = 0; i < mod->proc_count; i++)
    flow_finish(l->procs[i].flow);
  if (diags_errors(l->diags) > before)
    return false;
  for (uint32_t i = 0; i < mod->proc_count; i++)
    l->procs[i].table = flow_tabulate(l->procs[i].flow);
  return diags_errors(l->diags) == before;
}

/* Exclusive use of channels, claimed anywhere in a body. */
static void lower_claims(lower *l, lower_proc *p, const pml_seq *seq)
{
  for (uint32_t i = 0; seq && i < seq->count; i++) {
    const pml_stmt *s = seq->stmts[i];
    for (uint32_t k = 0; s->kind == S_XU && k < s->arg_count; k++) {
      expr *channel = lower_expr(l, s->args[k]);
      if (s->receive)
        vec_push(&p->type->only_reads, channel);
      else
        vec_push(&p->type->only_sends, channel);
    }
    lower_claims(l, p, s->body);
    lower_claims(l, p, s->escape);
    for (uint32_t k = 0; k < s->option_count; k++)
      lower_claims(l, p, s->options[k]);
  }
}

static void lower_bodies(lower *l)
{
  for (uint32_t i = 0; i < l->module->proc_count; i++)
    lower_locations(l, &l->procs[i]);
  initialise_all(l);
  for (uint32_t i = 0; i < l->module->proc_count; i++) {
    lower_proc *p = &l->procs[i];
    lower_edges(l, p);
    if (p->proc->kind == PROC_TRACE || p->proc->kind == PROC_NOTRACE)
      lower_check_trace(l, p->type);
    lower_claims(l, p, p->proc->body);
    if (p->proc->provided)
      p->type->provided = lower_expr(l, p->proc->provided);
  }
}

/* ---- properties ------------------------------------------------------- */

/* The first location of a system process with 'flag'. */
static const location *first_with(const model *m, uint32_t flag)
{
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    if (p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT)
      continue;
    for (size_t k = 0; k < p->locations.len; k++)
      if (p->locations.data[k].flags & flag)
        return &p->locations.data[k];
  }
  return NULL;
}

static void add_formula(lower *l, const pml_ltl *f, bool alone)
{
  const char *name = f->named || !alone ? f->name : name_of(l->m->names, "ltl");
  property *p = model_add_property(l->m, PROPERTY_LTL, name, f->where);
  p->alias = f->name; /* SPIN calls the only one without a name 'ltl_0' */
  p->formula = f->text;
  p->ltl = lower_formula(l, f->formula);
}

/* A lone never claim is called 'never', several by their names. */
static void add_claims(lower *l)
{
  process_type *const *all = l->m->processes.data;
  size_t n = l->m->processes.len, claims = 0;
  for (size_t i = 0; i < n; i++)
    claims += all[i]->kind == PROCESS_NEVER;
  for (size_t i = 0; i < n; i++)
    if (all[i]->kind == PROCESS_NEVER)
      model_add_property(l->m, PROPERTY_NEVER,
                         claims == 1 ? "never" : all[i]->name, all[i]->where)
          ->observer = all[i];
}

static void lower_properties(lower *l)
{
  model *m = l->m;
  model_add_property(m, PROPERTY_ASSERTIONS, "assertions", NO_SPAN);
  model_add_property(m, PROPERTY_END_STATES, "end-states", NO_SPAN);
  model_add_property(m, PROPERTY_BOUNDS, "bounds", NO_SPAN);
  add_claims(l);
  const location *at = first_with(m, LOC_ACCEPT);
  if (at)
    model_add_property(m, PROPERTY_ACCEPTANCE, "acceptance", at->where);
  at = first_with(m, LOC_PROGRESS);
  if (at)
    model_add_property(m, PROPERTY_NON_PROGRESS, "non-progress", at->where);
  uint32_t unnamed = 0;
  for (uint32_t i = 0; i < l->module->ltl_count; i++)
    unnamed += !l->module->ltls[i]->named;
  for (uint32_t i = 0; i < l->module->ltl_count; i++)
    add_formula(l, l->module->ltls[i], unnamed == 1);
}

/* ---- the whole -------------------------------------------------------- */

lower *lower_create(arena *a, names *n, sources *s, diags *d,
                    promela_module *mod)
{
  lower *l = ARENA_NEW(a, lower);
  l->m = model_create(a, n, s, &promela_facts);
  l->m->file = source_name(s, mod->file);
  l->m->front_end = l;
  l->arena = a;
  l->diags = d;
  l->module = mod;
  return l;
}

bool lower_module(lower *l)
{
  const promela_module *mod = l->module;
  size_t before = diags_errors(l->diags);
  l->procs = ARENA_ARRAY(l->arena, lower_proc, mod->proc_count);
  lower_mtypes(l);
  lower_records(l);
  lower_globals(l);
  for (uint32_t i = 0; i < mod->proc_count; i++)
    lower_process(l, &l->procs[i], mod->procs[i]);
  lower_c_memory(l);
  lower_c_code(l);
  if (lower_flows(l)) {
    lower_bodies(l);
    lower_properties(l);
  }
  text_free(&l->buffer);
  text_free(&l->excerpt);
  return diags_errors(l->diags) == before;
}

void lower_destroy(lower *l)
{
  if (!l)
    return;
  text_free(&l->buffer);
  text_free(&l->excerpt);
  model_destroy(l->m);
}
