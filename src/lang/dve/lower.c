/* Declarations: variables, channels, processes with their states, the
** property. */

#include "lang/dve/lower.h"

/* More cannot be told apart in a state. */
enum { PROCESSES_MAX = 255, CHANNELS_MAX = 255, STATES_MAX = 65536 };

/* Elements of one array; a state of this size is the largest there can be. */
enum { LENGTH_MAX = 1 << 24 };

/* A new name, unless it is taken there.  The names of a process hide global
** ones. */
static symbol *declare(dve_lower *l, symbol_kind kind,
                       const process_info *scope, const dve_name *name)
{
  bool state = kind == SYMBOL_STATE;
  const symbol *before = scopes_find(&l->symbols, scope, state, name->name);
  if (!before)
    return symbols_add(&l->symbols, kind, scope, name->name, name->where);
  diag_error(l->diags, name->where, "'%s' is already declared", name->name);
  diag_note(l->diags, before->as.where, "the first declaration is here");
  return NULL;
}

/* ---- variables --------------------------------------------------------- */

static type type_of(bool is_int)
{
  return type_scalar(is_int ? TYPE_SHORT : TYPE_BYTE);
}

/* Elements without a value are 0.  Values without an element stand in files
** that DiVinE accepts, and mean nothing. */
static bool lower_array_init(const dve_context *c, const dve_variable *v,
                             var *to)
{
  const dve_expr *e = v->init;
  for (; e && to->init.len < to->length; e = e->next) {
    expr *value = dve_lower_expr(c, e);
    if (!value)
      return false;
    vec_push(&to->init, value);
  }
  if (e)
    diag_warn(c->l->diags, e->where,
              "'%s' has %u element%s; the values from here on are not used",
              v->name.name, to->length, to->length == 1 ? "" : "s");
  expr *zero = expr_const(c->l->m, 0, v->name.where);
  while (to->init.len < to->length)
    vec_push(&to->init, zero);
  return true;
}

static bool lower_init(const dve_context *c, const dve_variable *v, var *to)
{
  if (v->is_array && v->braces)
    return lower_array_init(c, v, to);
  if (v->is_array || v->braces) {
    diag_error(c->l->diags, v->init->where,
               v->is_array ? "'%s' is an array: its values stand in braces"
                           : "'%s' is not an array: it has one value",
               v->name.name);
    return false;
  }
  expr *value = dve_lower_expr(c, v->init);
  if (value)
    vec_push(&to->init, value);
  return value;
}

static void lower_scalar_constant(const dve_context *c, const dve_variable *v)
{
  int32_t value = 0;
  type t = type_of(v->is_int);
  if (v->braces) {
    diag_error(c->l->diags, v->init->where,
               "'%s' is not an array: it has one value", v->name.name);
    return;
  }
  if (v->init && !dve_lower_constant(c, v->init, "the value of a constant",
                                     INT32_MIN, INT32_MAX, &value))
    return;
  symbol *s = declare(c->l, SYMBOL_CONSTANT, c->self, &v->name);
  if (s)
    s->value = type_truncate(&t, value);
}

/* A constant array is a variable that nobody may assign to. */
static void lower_variable(const dve_context *c, const dve_variable *v)
{
  dve_lower *l = c->l;
  int32_t length = 1;
  if (v->is_const && !v->is_array) {
    lower_scalar_constant(c, v);
    return;
  }
  /* After an error the name is declared all the same, to avoid more. */
  if (v->is_array && !dve_lower_constant(c, v->length, "the number of elements",
                                         1, LENGTH_MAX, &length))
    length = 1;
  type t = type_of(v->is_int);
  var *made = c->self ? model_add_local(l->m, c->self->type, v->name.name, t,
                                        v->name.where)
                      : model_add_global(l->m, v->name.name, t, v->name.where);
  made->length = (uint32_t)length;
  made->flags = v->is_array ? VAR_ARRAY : 0;
  if (v->init && !lower_init(c, v, made))
    vec_clear(&made->init);
  symbol *s = declare(l, SYMBOL_VARIABLE, c->self, &v->name);
  if (!s)
    return;
  s->var = made;
  s->fixed = v->is_const;
}

static void lower_variables(dve_lower *l, const process_info *self,
                            const dve_variable *list)
{
  dve_context c = {.l = l, .self = self};
  for (const dve_variable *v = list; v && !diags_full(l->diags); v = v->next)
    lower_variable(&c, v);
}

/* ---- channels ---------------------------------------------------------- */

static void lower_channel(dve_lower *l, const process_info *self,
                          const dve_channel *c)
{
  dve_context who = {.l = l, .self = self};
  int32_t capacity = 0;
  if (c->capacity &&
      !dve_lower_constant(&who, c->capacity, "the capacity of a channel", 0,
                          255, &capacity))
    return;
  if (capacity && !c->typed) {
    diag_error(l->diags, c->capacity->where,
               "a channel with a buffer needs types: 'channel {byte} %s[%d]'",
               c->name.name, capacity);
    return;
  }
  symbol *s = declare(l, SYMBOL_CHANNEL, self, &c->name);
  if (!s)
    return;
  channel_info *made = ARENA_NEW(l->m->arena, channel_info);
  made->source = c;
  made->type = model_add_channel_type(l->m, c->name.name, (uint32_t)capacity,
                                      c->name.where);
  made->number = model_add_initial_channel(l->m, made->type);
  for (uint32_t i = 0; i < c->fields; i++)
    vec_push(&made->type->fields, type_of(c->is_int[i]));
  s->channel = made;
}

static void lower_channels(dve_lower *l, const process_info *self,
                           const dve_channel *list)
{
  for (const dve_channel *c = list; c && !diags_full(l->diags); c = c->next) {
    if (l->m->initial_channels.len >= CHANNELS_MAX) {
      diag_error(l->diags, c->name.where, "more than %d channels",
                 CHANNELS_MAX);
      return;
    }
    lower_channel(l, self, c);
  }
}

/* ---- processes --------------------------------------------------------- */

static void lower_states(dve_lower *l, process_info *p)
{
  int32_t number = 0;
  for (const dve_name *n = p->source->states; n && !diags_full(l->diags);
       n = n->next) {
    symbol *s = declare(l, SYMBOL_STATE, p, n);
    if (!s)
      continue;
    if (number >= STATES_MAX) {
      diag_error(l->diags, n->where, "more than %d states", STATES_MAX);
      return;
    }
    s->location = model_add_location(l->m, p->type, 0, number++, n->where);
    p->type->locations.data[s->location].label = n->name;
  }
}

static void mark_states(dve_lower *l, process_info *p, const dve_name *list,
                        uint32_t flag)
{
  for (const dve_name *n = list; n && !diags_full(l->diags); n = n->next) {
    const symbol *s = dve_find_state(l, p, n);
    if (s)
      p->type->locations.data[s->location].flags |= flag;
  }
}

static void lower_marks(dve_lower *l, process_info *p)
{
  const dve_process *source = p->source;
  bool watches = p->number < 0;
  if (source->committed && (watches || l->module->synchronous))
    diag_error(l->diags, source->committed->where,
               watches ? "the property cannot have committed states"
                       : "committed states have no meaning in a synchronous "
                         "system");
  if (source->accepting && !watches)
    diag_warn(l->diags, source->accepting->where,
              "'accept' has a meaning in the property only");
  mark_states(l, p, source->committed, LOC_COMMITTED);
  mark_states(l, p, source->accepting, watches ? LOC_ACCEPT : 0);
}

static void lower_start(dve_lower *l, process_info *p)
{
  const dve_process *source = p->source;
  if (!source->states) {
    diag_error(l->diags, source->name.where, "process '%s' has no states",
               source->name.name);
    return;
  }
  if (!source->init.name) {
    diag_error(l->diags, source->name.where,
               "process '%s' has no initial state ('init')", source->name.name);
    return;
  }
  const symbol *s = dve_find_state(l, p, &source->init);
  if (s)
    p->type->start = s->location;
}

/* Names, states and variables: all that other processes can refer to. */
static void declare_process(dve_lower *l, process_info *p)
{
  const dve_process *source = p->source;
  bool watches = source->name.name == l->module->property.name;
  symbol *s = declare(l, SYMBOL_PROCESS, NULL, &source->name);
  if (s)
    s->process = p;
  p->type = model_add_process(l->m, source->name.name,
                              watches ? PROCESS_BUCHI : PROCESS_NORMAL,
                              source->name.where);
  p->number = watches ? -1 : (int32_t)l->m->initial.len;
  if (!watches) {
    p->type->active = 1;
    vec_push(&l->m->initial, p->type);
  }
  if (l->m->initial.len == PROCESSES_MAX + 1)
    diag_error(l->diags, source->name.where, "more than %d processes",
               PROCESSES_MAX);
  lower_states(l, p);
}

static void lower_process(dve_lower *l, process_info *p)
{
  lower_variables(l, p, p->source->variables);
  lower_channels(l, p, p->source->channels);
  if (p->number < 0 && p->type->locals.len)
    diag_error(l->diags, p->type->locals.data[0]->where,
               "the property cannot have variables");
  lower_marks(l, p);
  lower_start(l, p);
}

static void lower_processes(dve_lower *l)
{
  uint32_t n = 0;
  for (const dve_process *p = l->module->processes; p; p = p->next)
    n++;
  l->processes = ARENA_ARRAY(l->m->arena, process_info, n + 1);
  for (const dve_process *p = l->module->processes; p; p = p->next) {
    l->processes[l->process_count].source = p;
    declare_process(l, &l->processes[l->process_count++]);
    if (diags_full(l->diags))
      return;
  }
  for (uint32_t i = 0; i < n && !diags_full(l->diags); i++)
    lower_process(l, &l->processes[i]);
  for (uint32_t i = 0; i < n && !diags_full(l->diags); i++) {
    dve_lower_transitions(l, &l->processes[i]);
    dve_lower_assertions(l, &l->processes[i]);
  }
}

/* ---- the system -------------------------------------------------------- */

/* The property is violated by an accepting run of its process. */
static void lower_property(dve_lower *l)
{
  const dve_name *name = &l->module->property;
  if (!name->name)
    return;
  symbol *s = scopes_find(&l->symbols, NULL, false, name->name);
  if (s && s->kind == SYMBOL_PROCESS)
    model_add_property(l->m, PROPERTY_NEVER, name->name, name->where)
        ->observer = s->process->type;
  else
    diag_error(l->diags, name->where, "there is no process '%s'", name->name);
}

bool dve_lower_module(dve_lower *l)
{
  size_t before = diags_errors(l->diags);
  scopes_create(&l->symbols, l->m->arena);
  lower_variables(l, NULL, l->module->variables);
  lower_channels(l, NULL, l->module->channels);
  lower_processes(l);
  lower_property(l);
  if (l->module->synchronous)
    l->m->flags |= MODEL_SYNCHRONOUS;
  if (!l->m->initial.len && diags_errors(l->diags) == before)
    diag_error(l->diags, l->module->system, "there is no process to run");
  return diags_errors(l->diags) == before;
}
