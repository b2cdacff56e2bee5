/* Which channels an expression can name.
**
** Channels are numbers in variables, so they flow: by assignments, as
** arguments of 'run', inside messages.  For every chan variable and every chan
** field of a message we find the classes of channels that can get there, by
** repeating all assignments on sets of classes until nothing changes.  Numbers
** that come from anything else (a byte, arithmetic) may be any channel.
**
** A channel that a process created ends with it, and its number may then name
** a younger one.  So whoever holds such a number may mean any channel created
** by a process, unless it is the variable the channel was created for. */

#include "base/alloc.h"
#include "model/access/access_internal.h"

/* A state has at most so many channels. */
enum { CHANNELS_MAX = 255 };

/* ---- classes ---------------------------------------------------------- */

void access_channels_of(const var *v, channel_found *found, void *context)
{
  if (v->type.kind != TYPE_RECORD && !v->init_channel)
    return;
  for (uint32_t i = 0; i < v->length; i++) {
    if (v->init_channel) {
      found(context, v->init_channel);
      continue;
    }
    const record *r = v->type.record;
    for (size_t k = 0; k < r->fields.len; k++)
      access_channels_of(r->fields.data[k], found, context);
  }
}

typedef struct class_walk {
  access_sets *access;
  const var *var;
} class_walk;

static void add_global_channel(void *context, const channel_type *t)
{
  class_walk *w = context;
  if (w->access->channels.len < CHANNELS_MAX)
    vec_push(&w->access->channels, ((channel_class){t, w->var}));
}

static void add_created_channel(void *context, const channel_type *t)
{
  class_walk *w = context;
  uint32_t *class = &w->access->parts->created_channels[t->index];
  if (*class != NO_SLOT)
    return;
  *class = (uint32_t)w->access->channels.len;
  vec_push(&w->access->channels, ((channel_class){t, NULL}));
}

void access_number_channels(access_sets *a)
{
  const model *m = a->model;
  access_parts *p = a->parts;
  p->flow.first = ARENA_ARRAY(a->arena, uint32_t, m->globals.len + 1);
  p->created_channels = ARENA_ARRAY(a->arena, uint32_t, m->channels.len + 1);
  for (size_t i = 0; i < m->channels.len; i++)
    p->created_channels[i] = NO_SLOT;
  for (size_t i = 0; i < m->initial_channels.len; i++) {
    class_walk w = {a, NULL};
    add_global_channel(&w, m->initial_channels.data[i]);
  }
  for (size_t i = 0; i < m->globals.len; i++) {
    class_walk w = {a, m->globals.data[i]};
    p->flow.first[i] = (uint32_t)a->channels.len;
    access_channels_of(w.var, add_global_channel, &w);
  }
  p->global_channels = (uint32_t)a->channels.len;
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++) {
      class_walk w = {a, m->processes.data[i]->locals.data[k]};
      access_channels_of(w.var, add_created_channel, &w);
    }
}

uint32_t access_channel(const access_sets *a, uint32_t number,
                        const channel_type *t)
{
  return number <= a->parts->global_channels
             ? number - 1
             : a->parts->created_channels[t->index];
}

/* ---- sets of classes -------------------------------------------------- */

static uint64_t *new_set(access_sets *a)
{
  return ARENA_ARRAY(a->arena, uint64_t, a->parts->flow.words);
}

static void clear_set(const channel_flow *f, uint64_t *set)
{
  for (uint32_t i = 0; i < f->words; i++)
    set[i] = 0;
}

static void unite(const channel_flow *f, uint64_t *to, const uint64_t *from)
{
  for (uint32_t i = 0; i < f->words; i++)
    to[i] |= from[i];
}

static uint64_t *set_of_var(const channel_flow *f, const var *v)
{
  return v->owner ? f->locals[v->owner->index][v->index] : f->globals[v->index];
}

/* Whether the variable keeps the channels it was made with. */
static bool is_fixed(const access_sets *a, const var *v)
{
  return v->init_channel && !access_is_assigned(a, v);
}

static bool is_chan(const ref *r)
{
  while (r->field)
    r = r->field;
  return r->var->type.kind == TYPE_CHAN;
}

/* Elements of a global that keeps its channels. */
static void add_elements(const access_sets *a, const process_type *self,
                         const ref *r, uint64_t *set)
{
  uint32_t first = a->parts->flow.first[r->var->index];
  value_range i = {0, 0};
  if (r->index)
    i = access_range(a, self, r->index);
  for (uint32_t k = 0; k < r->var->length; k++)
    if (k >= i.lo && k <= i.hi && first + k < a->parts->global_channels)
      slots_add(set, first + k);
}

static void resolve_ref(const access_sets *a, const process_type *self,
                        const ref *r, uint64_t *set)
{
  const channel_flow *f = &a->parts->flow;
  const var *v = r->var;
  if (!is_chan(r)) {
    unite(f, set, f->any);
    return;
  }
  if (is_fixed(a, v)) {
    if (v->owner)
      slots_add(set, a->parts->created_channels[v->init_channel->index]);
    else
      add_elements(a, self, r, set);
    return;
  }
  const uint64_t *held = set_of_var(f, v);
  unite(f, set, held);
  for (uint32_t i = 0; i < f->words; i++)
    if (held[i] & f->created[i]) {
      unite(f, set, f->created);
      break;
    }
}

/* Channels that are there from the start have known numbers; 0 is none. */
static void resolve_number(const access_sets *a, int32_t number, uint64_t *set)
{
  if (number > 0 && (uint32_t)number <= a->parts->global_channels)
    slots_add(set, (uint32_t)number - 1);
  else if (number != 0)
    unite(&a->parts->flow, set, a->parts->flow.any);
}

void access_resolve(const access_sets *a, const process_type *self,
                    const expr *e, uint64_t *set)
{
  /* Embedded C may have put any number there. */
  if (a->model->flags & MODEL_HAS_C) {
    unite(&a->parts->flow, set, a->parts->flow.any);
    return;
  }
  switch (e->op) {
  case OP_REMOTE:
    if (e->process == a->parts->special)
      a->parts->unsure = true;
    resolve_ref(a, self, e->ref, set);
    break;
  case OP_VAR:
    resolve_ref(a, self, e->ref, set);
    break;
  case OP_COND:
    access_resolve(a, self, e->args[1], set);
    access_resolve(a, self, e->args[2], set);
    break;
  case OP_CONST:
    resolve_number(a, e->value, set);
    break;
  default:
    unite(&a->parts->flow, set, a->parts->flow.any);
  }
}

/* ---- flow ------------------------------------------------------------- */

/* What 'from' has gets to 'to' too. */
static void add_flow(channel_flow *f, uint64_t *to, const uint64_t *from)
{
  for (uint32_t i = 0; i < f->words; i++) {
    f->changed |= (from[i] & ~to[i]) != 0;
    to[i] |= from[i];
  }
}

/* The classes that 'from' can name; valid until the next call. */
static const uint64_t *resolved(access_sets *a, const process_type *self,
                                const expr *from)
{
  channel_flow *f = &a->parts->flow;
  clear_set(f, f->scratch);
  access_resolve(a, self, from, f->scratch);
  return f->scratch;
}

/* Variables of other types hold no channels that are known. */
static void flow_to_var(access_sets *a, const ref *r, const uint64_t *from)
{
  if (is_chan(r))
    add_flow(&a->parts->flow, set_of_var(&a->parts->flow, r->var), from);
}

static void flow_expr(access_sets *a, const process_type *self, const ref *to,
                      const expr *from)
{
  if (is_chan(to))
    flow_to_var(a, to, resolved(a, self, from));
}

static uint64_t *set_of_field(const access_sets *a, uint32_t class, size_t i)
{
  const channel_type *t = a->channels.data[class].type;
  return i < t->fields.len && t->fields.data[i].kind == TYPE_CHAN
             ? a->parts->flow.fields[t->index][i]
             : NULL;
}

/* Argument 'i' of 'c' and that field of the messages of a class. */
static void flow_arg(access_sets *a, const comm *c, size_t i, uint32_t class)
{
  channel_flow *f = &a->parts->flow;
  const comm_arg *arg = &c->args.data[i];
  uint64_t *field = set_of_field(a, class, i);
  if (arg->kind == ARG_STORE)
    flow_to_var(a, arg->target, field ? field : f->any);
  else if (arg->kind == ARG_VALUE && c->kind == COMM_SEND && field)
    add_flow(f, field, resolved(a, NULL, arg->value));
}

/* The messages of a multicast may hold any channel. */
static void flow_comm(access_sets *a, const comm *c)
{
  channel_flow *f = &a->parts->flow;
  bool port = c->kind == COMM_MULTICAST || c->kind == COMM_JOIN;
  clear_set(f, f->classes);
  if (!port)
    access_resolve(a, NULL, c->channel, f->classes);
  for (size_t i = 0; i < c->args.len; i++) {
    if (port && c->args.data[i].kind == ARG_STORE)
      flow_to_var(a, c->args.data[i].target, f->any);
    for (uint32_t k = 0; k < a->channels.len; k++)
      if (slots_have(f->classes, k))
        flow_arg(a, c, i, k);
  }
}

static void flow_run(access_sets *a, const run *r)
{
  for (size_t i = 0; i < r->args.len; i++) {
    ref parameter = {.var = r->process->locals.data[i]};
    flow_expr(a, NULL, &parameter, r->args.data[i]);
  }
}

static void flow_edge(access_sets *a, const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    if (f->kind == EFFECT_ASSIGN)
      flow_expr(a, e->process, f->target, f->value);
  }
}

/* Initial values of 'v', an outermost variable or a field inside 'root'. */
static void flow_inits(access_sets *a, const var *root, const var *v)
{
  channel_flow *f = &a->parts->flow;
  if (v->type.kind == TYPE_RECORD) {
    const record *r = v->type.record;
    for (size_t i = 0; i < r->fields.len; i++)
      flow_inits(a, root, r->fields.data[i]);
    return;
  }
  if (v->type.kind != TYPE_CHAN)
    return;
  for (size_t i = 0; i < v->init.len; i++)
    add_flow(f, set_of_var(f, root), resolved(a, root->owner, v->init.data[i]));
  if (!v->init_channel)
    return;
  clear_set(f, f->scratch);
  if (root->owner)
    slots_add(f->scratch, a->parts->created_channels[v->init_channel->index]);
  for (uint32_t i = 0; i < a->parts->global_channels; i++)
    if (a->channels.data[i].var == root)
      slots_add(f->scratch, i);
  add_flow(f, set_of_var(f, root), f->scratch);
}

static void flow_all(access_sets *a)
{
  const model *m = a->model;
  for (size_t i = 0; i < m->globals.len; i++)
    flow_inits(a, m->globals.data[i], m->globals.data[i]);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    for (size_t k = 0; k < p->locals.len; k++)
      flow_inits(a, p->locals.data[k], p->locals.data[k]);
  }
  for (size_t i = 0; i < m->edges.len; i++)
    flow_edge(a, m->edges.data[i]);
  for (size_t i = 0; i < m->comms.len; i++)
    flow_comm(a, m->comms.data[i]);
  for (size_t i = 0; i < m->runs.len; i++)
    flow_run(a, m->runs.data[i]);
}

/* ---- all of it --------------------------------------------------------- */

static void create_sets(access_sets *a)
{
  const model *m = a->model;
  channel_flow *f = &a->parts->flow;
  f->globals = ARENA_ARRAY(a->arena, uint64_t *, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    f->globals[i] = new_set(a);
  f->locals = ARENA_ARRAY(a->arena, uint64_t **, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    f->locals[i] = ARENA_ARRAY(a->arena, uint64_t *, p->locals.len + 1);
    for (size_t k = 0; k < p->locals.len; k++)
      f->locals[i][k] = new_set(a);
  }
  f->fields = ARENA_ARRAY(a->arena, uint64_t **, m->channels.len + 1);
  for (size_t i = 0; i < m->channels.len; i++) {
    size_t n = m->channels.data[i]->fields.len;
    f->fields[i] = ARENA_ARRAY(a->arena, uint64_t *, n + 1);
    for (size_t k = 0; k < n; k++)
      f->fields[i][k] = new_set(a);
  }
}

void access_find_channels(access_sets *a)
{
  channel_flow *f = &a->parts->flow;
  f->words = (uint32_t)a->channels.len / 64 + 1;
  f->any = new_set(a);
  f->created = new_set(a);
  for (uint32_t i = 0; i < a->channels.len; i++) {
    slots_add(f->any, i);
    if (i >= a->parts->global_channels)
      slots_add(f->created, i);
  }
  create_sets(a);
  f->scratch = new_set(a);
  f->classes = new_set(a);
  do {
    f->changed = false;
    flow_all(a);
  } while (f->changed);
}

void access_channels_named(const access_sets *a, const process_type *self,
                           const expr *e, uint64_t *classes)
{
  access_resolve(a, self, e, classes);
}

uint32_t access_first_channels(const access_sets *a)
{
  return a->parts->global_channels;
}
