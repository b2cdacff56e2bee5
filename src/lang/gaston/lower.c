/* Declarations: constants, types, variables, ports, instances of processes,
** invariants. */

#include "lang/gaston/lower.h"

#include <stdlib.h>
#include <string.h>

gst_symbol *gst_declare(gst_lower *l, gst_symbol_kind kind, const void *scope,
                        const gst_name *name)
{
  const gst_symbol *before =
      scopes_find(&l->symbols, scope, kind == SYMBOL_LABEL, name->name);
  if (!before)
    return gst_symbols_add(&l->symbols, kind, scope, name);
  diag_error(l->diags, name->where, "'%s' is already declared", name->name);
  if (before->as.where.file)
    diag_note(l->diags, before->as.where, "the first declaration is here");
  return NULL;
}

/* ---- constants --------------------------------------------------------- */

/* The value that was given to a constant from outside ("-DN=3"); false when
** there is none. */
static bool find_given(gst_lower *l, const gst_name *name, int32_t *value)
{
  size_t n = strlen(name->name);
  bool found = false;
  for (uint32_t i = 0; i < l->options->arg_count; i++) {
    const char *arg = l->options->args[i];
    if (strncmp(arg, "-D", 2) || strncmp(arg + 2, name->name, n) ||
        arg[2 + n] != '=')
      continue;
    char *end;
    long long given = strtoll(arg + n + 3, &end, 10);
    l->used[i] = found = true;
    if (*end || end == arg + n + 3 || given < INT32_MIN || given > INT32_MAX)
      diag_error(l->diags, name->where, "'%s' does not give '%s' a number", arg,
                 name->name);
    *value = (int32_t)given;
  }
  return found;
}

static void lower_constant(gst_lower *l, const gst_declaration *d)
{
  gst_context nobody = {.l = l};
  const gst_type *of = l->number;
  int32_t value, given;
  if (!gst_lower_constant(&nobody, d->value, "the value of a constant", &of,
                          &value)) {
    value = 0;
    of = l->number;
  }
  if (find_given(l, d->names, &given)) {
    if (of->kind != KIND_NUMBER)
      diag_error(l->diags, d->names->where,
                 "only a constant that is a number can be given otherwise");
    value = given;
  }
  gst_symbol *s = gst_declare(l, SYMBOL_CONSTANT, NULL, d->names);
  if (!s)
    return;
  s->type = of;
  s->value = value;
}

static void check_given(gst_lower *l)
{
  for (uint32_t i = 0; i < l->options->arg_count; i++)
    if (!l->used[i])
      diag_error(l->diags, NO_SPAN, "'%s' names no constant of the model",
                 l->options->args[i]);
}

/* ---- types and variables ----------------------------------------------- */

static void lower_type(gst_lower *l, const gst_declaration *d)
{
  gst_context nobody = {.l = l};
  const gst_type *t = gst_lower_type(&nobody, d->type);
  gst_symbol *s = gst_declare(l, SYMBOL_TYPE, NULL, d->names);
  if (!s)
    return;
  /* After an error it is a type all the same, to avoid more. */
  gst_type *named = ARENA_NEW(l->m->arena, gst_type);
  *named = t ? *t : *l->boolean;
  if (t && d->type->kind != GST_TYPE_NAMED) {
    named = (gst_type *)t; /* just made, and nobody else's */
    named->name = d->names->name;
    if (named->record)
      named->record->name = d->names->name;
    s->type = named;
    return;
  }
  s->type = t ? t : named;
}

/* One initial value, in range. */
static expr *lower_init(const gst_context *c, const gst_expr *e,
                        const gst_type *t)
{
  gst_lower *l = c->l;
  const gst_type *found;
  int32_t value;
  if (!gst_lower_constant(c, e, "an initial value", &found, &value))
    return NULL;
  if (!gst_same_type(found, t)) {
    diag_error(l->diags, e->where, "this is %s, but it must be %s",
               gst_type_text(l, found), gst_type_text(l, t));
    return NULL;
  }
  if (value >= t->lo && value <= t->hi)
    return expr_const(l->m, value, e->where);
  diag_error(l->diags, e->where, "%d is not in the range %d..%d", value, t->lo,
             t->hi);
  return NULL;
}

static void lower_inits(const gst_context *c, const gst_declaration *d,
                        const gst_type *t, var *to)
{
  gst_lower *l = c->l;
  const gst_type *scalar = t->kind == KIND_ARRAY ? t->element : t;
  uint32_t count = 0;
  if (!gst_is_scalar(scalar)) {
    diag_error(l->diags, d->init->where,
               "records and arrays of them have no initial value but the "
               "least of each part");
    return;
  }
  for (const gst_expr *e = d->init; e; e = e->next, count++) {
    expr *value = lower_init(c, e, scalar);
    if (!value)
      return;
    vec_push(&to->init, value);
  }
  if (d->is_list ? t->kind == KIND_ARRAY && count == to->length : count == 1)
    return;
  diag_error(l->diags, d->init->where,
             t->kind == KIND_ARRAY ? "%u values for %u elements"
                                   : "this is no array: it has one value",
             count, to->length);
  vec_clear(&to->init);
}

/* Without a value a variable begins with the least of its type: all bytes 0,
** which the model takes as that. */
static void lower_variables(gst_lower *l, const gst_instance *self,
                            const gst_declaration *d)
{
  gst_context c = {.l = l, .self = self};
  const gst_type *t = gst_lower_type(&c, d->type);
  for (const gst_name *n = d->names; n && !diags_full(l->diags); n = n->next) {
    gst_symbol *s = gst_declare(l, SYMBOL_VARIABLE, self, n);
    if (!s)
      continue;
    s->type = t ? t : l->boolean;
    s->var = self ? model_add_local(l->m, self->type, n->name,
                                    type_scalar(TYPE_BOOL), n->where)
                  : model_add_global(l->m, n->name, type_scalar(TYPE_BOOL),
                                     n->where);
    gst_shape_var(l, s->type, s->var);
    if (d->init && t)
      lower_inits(&c, d, t, s->var);
  }
}

/* ---- ports ------------------------------------------------------------- */

static void lower_port(gst_lower *l, const gst_declaration *d)
{
  gst_context nobody = {.l = l};
  gst_port *p = ARENA_NEW(l->m->arena, gst_port);
  p->source = d;
  p->number = l->ports++;
  for (const gst_field *f = d->carried; f; f = f->next)
    p->count++;
  p->types = ARENA_ARRAY(l->m->arena, const gst_type *, p->count);
  uint32_t i = 0;
  for (const gst_field *f = d->carried; f; f = f->next, i++) {
    const gst_type *t = gst_lower_type(&nobody, f->type);
    p->types[i] = t ? t : l->boolean;
  }
  gst_symbol *s = gst_declare(l, SYMBOL_PORT, NULL, d->names);
  if (s)
    s->port = p;
}

static void check_members(gst_lower *l, const gst_declaration *d)
{
  for (const gst_name *n = d->members; n && !diags_full(l->diags);
       n = n->next) {
    const gst_symbol *s = scopes_find(&l->symbols, NULL, false, n->name);
    if (!s || s->kind != SYMBOL_PROCESS)
      diag_error(l->diags, n->where, "there is no process '%s'", n->name);
  }
}

/* ---- processes --------------------------------------------------------- */

static const char *instance_name(gst_lower *l, const gst_process *p,
                                 const gst_instance *i)
{
  const char *name = p->source->names->name;
  if (!p->parameter)
    return name;
  const char *value = p->parameter->kind == KIND_ENUM
                          ? mtype_name_of(l->m, i->value, p->parameter->set)
                          : NULL;
  return value ? arena_printf(l->m->arena, "%s[%s]", name, value)
               : arena_printf(l->m->arena, "%s[%d]", name, i->value);
}

static void declare_instance(gst_lower *l, const gst_process *p,
                             gst_instance *i)
{
  const gst_declaration *d = p->source;
  i->source = d;
  i->parameter = p->parameter;
  i->number = (int32_t)l->m->initial.len;
  i->type = model_add_process(l->m, instance_name(l, p, i), PROCESS_NORMAL,
                              d->names->where);
  i->type->active = 1;
  vec_push(&l->m->initial, i->type);
  if (d->parameter.name) {
    gst_symbol *s = gst_declare(l, SYMBOL_CONSTANT, i, &d->parameter);
    if (!s)
      return;
    s->type = p->parameter;
    s->value = i->value;
  }
}

static void declare_process(gst_lower *l, const gst_declaration *d)
{
  gst_context nobody = {.l = l};
  gst_process *p = ARENA_NEW(l->m->arena, gst_process);
  p->source = d;
  p->count = 1;
  if (d->parameter.name) {
    p->parameter = gst_lower_type(&nobody, d->type);
    if (!p->parameter)
      return;
    int64_t count = (int64_t)p->parameter->hi - p->parameter->lo + 1;
    if (!gst_is_scalar(p->parameter) || count > GST_INSTANCES_MAX) {
      diag_error(l->diags, d->type->where,
                 "a parameter has a type of at most %d values",
                 GST_INSTANCES_MAX);
      return;
    }
    p->count = (uint32_t)count;
  }
  gst_symbol *s = gst_declare(l, SYMBOL_PROCESS, NULL, d->names);
  if (!s)
    return;
  s->process = p;
  if (l->m->initial.len + p->count > GST_INSTANCES_MAX) {
    diag_error(l->diags, d->names->where, "more than %d processes",
               GST_INSTANCES_MAX);
    p->count = 1;
  }
  p->instances = ARENA_ARRAY(l->m->arena, gst_instance, p->count);
  for (uint32_t i = 0; i < p->count; i++) {
    p->instances[i].value = p->parameter ? p->parameter->lo + (int32_t)i : 0;
    declare_instance(l, p, &p->instances[i]);
  }
}

/* The same errors in all instances are told once. */
static void lower_process(gst_lower *l, const gst_declaration *d)
{
  const gst_symbol *s = scopes_find(&l->symbols, NULL, false, d->names->name);
  size_t before = diags_errors(l->diags);
  if (!s || s->kind != SYMBOL_PROCESS || s->process->source != d)
    return;
  for (uint32_t i = 0;
       i < s->process->count && diags_errors(l->diags) == before; i++) {
    const gst_instance *self = &s->process->instances[i];
    for (const gst_declaration *v = d->locals; v; v = v->next)
      lower_variables(l, self, v);
    gst_lower_body(l, self);
  }
}

/* ---- the file ---------------------------------------------------------- */

static void lower_invariant(gst_lower *l, const gst_declaration *d)
{
  gst_context nobody = {.l = l};
  expr *condition = gst_lower_typed(&nobody, d->value, l->boolean);
  if (!condition)
    return;
  property *made = model_add_property(l->m, PROPERTY_INVARIANT, d->names->name,
                                      d->value->where);
  made->formula = d->text;
  made->expr = condition;
}

static void declare(gst_lower *l, const gst_declaration *d)
{
  switch (d->kind) {
  case GST_CONST:
    lower_constant(l, d);
    break;
  case GST_TYPE:
    lower_type(l, d);
    break;
  case GST_VARIABLES:
    lower_variables(l, NULL, d);
    break;
  case GST_PORT:
    lower_port(l, d);
    break;
  case GST_PROCESS:
    declare_process(l, d);
    break;
  case GST_INVARIANT:
    break;
  }
}

static void predeclare(gst_lower *l)
{
  gst_type *boolean = ARENA_NEW(l->m->arena, gst_type);
  gst_type *number = ARENA_NEW(l->m->arena, gst_type);
  gst_name name = {.name = name_of(l->m->names, "Boolean"), .where = NO_SPAN};
  *boolean = (gst_type){.kind = KIND_BOOLEAN, .hi = 1, .scalars = 1};
  *number = (gst_type){
      .kind = KIND_NUMBER, .lo = INT32_MIN, .hi = INT32_MAX, .scalars = 1};
  l->boolean = boolean;
  l->number = number;
  gst_declare(l, SYMBOL_TYPE, NULL, &name)->type = boolean;
}

bool gst_lower_file(gst_lower *l)
{
  size_t before = diags_errors(l->diags);
  const gst_declaration *d, *all = l->declarations;
  scopes_create(&l->symbols, l->m->arena);
  l->used = ARENA_ARRAY(l->m->arena, bool, l->options->arg_count);
  predeclare(l);
  for (d = all; d && !diags_full(l->diags); d = d->next)
    declare(l, d);
  check_given(l);
  for (d = all; d && !diags_full(l->diags); d = d->next)
    if (d->kind == GST_PORT)
      check_members(l, d);
    else if (d->kind == GST_PROCESS)
      lower_process(l, d);
  for (d = all; d && !diags_full(l->diags); d = d->next)
    if (d->kind == GST_INVARIANT)
      lower_invariant(l, d);
  if (!l->m->initial.len && diags_errors(l->diags) == before)
    diag_error(l->diags, NO_SPAN, "there is no process to run");
  return diags_errors(l->diags) == before;
}
