/* What expressions, communications and effects touch.  The cases follow the
** interpreter (program/interp/eval.c, channel.c, create.c): whatever it looks
** at has to be found here. */

#include "base/alloc.h"
#include "model/access/access_internal.h"

static void look_at_ref(looker *l, const ref *r)
{
  for (; r; r = r->field)
    if (r->index)
      look_at_expr(l, r->index);
}

static void read_shared(looker *l, slot_kind kind)
{
  slots_add(l->reads, access_shared(l->access, kind));
}

/* ---- other processes -------------------------------------------------- */

/* From which sides 'process number e' of type 't' may be seen: as oneself, as
** another, or both. */
static uint32_t sides_of(const looker *l, const process_type *t, const expr *e)
{
  uint32_t own = l->self == t ? SIDE_OWN : 0;
  return e && e->op == OP_PID ? own : own | SIDE_REMOTE;
}

static void touch_location(const looker *l, const process_type *t,
                           uint32_t sides, uint64_t *set)
{
  if (sides & SIDE_OWN)
    slots_add(set, access_location(l->access, t, false));
  if (sides & SIDE_REMOTE)
    slots_add(set, access_location(l->access, t, true));
}

static void touch_priority(const looker *l, const process_type *t,
                           uint32_t sides, uint64_t *set)
{
  if (sides & SIDE_OWN)
    slots_add(set, access_priority(l->access, t, false));
  if (sides & SIDE_REMOTE)
    slots_add(set, access_priority(l->access, t, true));
}

static bool has_progress(const process_type *t)
{
  for (size_t i = 0; i < t->locations.len; i++)
    if (t->locations.data[i].flags & LOC_PROGRESS)
      return true;
  return false;
}

/* Operators that ask for something of a process, or of all. */
static void look_at_processes(looker *l, const expr *e)
{
  const model *m = l->access->model;
  read_shared(l, SLOT_PROCESSES);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *t = m->processes.data[i];
    uint32_t sides = sides_of(l, t, e->args[0]);
    if (process_observes(t))
      continue;
    if (e->op == OP_PC_VALUE || (e->op == OP_NP && has_progress(t)))
      touch_location(l, t, sides, l->reads);
    if (e->op == OP_PRIORITY)
      touch_priority(l, t, sides, l->reads);
    if (e->op == OP_SET_PRIORITY)
      touch_priority(l, t, sides, l->writes);
  }
}

static void look_at_remote(looker *l, const expr *e)
{
  uint32_t sides = sides_of(l, e->process, e->args[0]);
  read_shared(l, SLOT_PROCESSES);
  if (e->op == OP_REMOTE && e->process == l->access->parts->special)
    l->access->parts->unsure = true;
  if (e->op == OP_AT) {
    touch_location(l, e->process, sides, l->reads);
    return;
  }
  if (!e->ref->var->owner)
    sides = SIDE_OWN; /* a global has one slot */
  access_add_ref(l->access, l->self, e->ref, sides, l->reads);
  look_at_ref(l, e->ref);
}

/* ---- channels --------------------------------------------------------- */

static void note_use(looker *l, uint32_t channel, uint32_t flags)
{
  if (l->edge)
    access_add_use(l->edge, channel, flags);
}

/* The classes an expression can name. */
static uint64_t *classes_of(const looker *l, const expr *e)
{
  uint64_t *set =
      ARENA_ARRAY(l->access->arena, uint64_t, l->access->parts->flow.words);
  access_resolve(l->access, l->self, e, set);
  return set;
}

static uint32_t use_of(op o)
{
  switch (o) {
  case OP_LEN:
    return USE_LENGTH;
  case OP_EMPTY:
  case OP_NEMPTY:
    return USE_EMPTY;
  default:
    return USE_FULL;
  }
}

static void look_at_length(looker *l, const expr *e)
{
  uint64_t *set = classes_of(l, e->args[0]);
  for (uint32_t i = 0; i < l->access->channels.len; i++)
    if (slots_have(set, i)) {
      slots_add(l->reads, access_length(l->access, i));
      note_use(l, i, use_of(e->op));
    }
}

static bool has_value(const comm *c)
{
  for (size_t i = 0; i < c->args.len; i++)
    if (c->args.data[i].kind == ARG_VALUE)
      return true;
  return false;
}

static void look_at_poll(looker *l, const comm *c)
{
  uint64_t *set = classes_of(l, c->channel);
  for (uint32_t i = 0; i < l->access->channels.len; i++)
    if (slots_have(set, i)) {
      slots_add(l->reads, access_length(l->access, i));
      if (has_value(c))
        slots_add(l->reads, access_messages(l->access, i));
      note_use(l, i, USE_POLL);
    }
  for (size_t i = 0; i < c->args.len; i++)
    if (c->args.data[i].kind == ARG_VALUE)
      look_at_expr(l, c->args.data[i].value);
}

/* Channels come with a process and go with it. */
static void change_channel(void *context, const channel_type *t)
{
  looker *l = context;
  uint32_t class = l->access->parts->created_channels[t->index];
  slots_add(l->writes, access_length(l->access, class));
  slots_add(l->writes, access_messages(l->access, class));
  note_use(l, class, USE_CREATE);
}

static void change_processes(looker *l, const process_type *t)
{
  slots_add(l->writes, access_shared(l->access, SLOT_PROCESSES));
  for (size_t i = 0; i < t->locals.len; i++)
    access_channels_of(t->locals.data[i], change_channel, l);
  if (l->edge)
    l->edge->flags |= ACCESS_CREATES;
}

/* ---- creation --------------------------------------------------------- */

static void look_at_inits(looker *l, const var *v)
{
  for (size_t i = 0; i < v->init.len; i++)
    look_at_expr(l, v->init.data[i]);
  if (v->type.kind == TYPE_RECORD)
    for (size_t i = 0; i < v->type.record->fields.len; i++)
      look_at_inits(l, v->type.record->fields.data[i]);
}

/* Initial values are found by the new process: what is its own is new.  One
** that runs its own type while it is made would never be finished. */
static void look_at_new_process(looker *l, const process_type *t)
{
  const access_sets *a = l->access;
  process_slots *s = &a->parts->processes[t->index];
  if (s->busy)
    return;
  if (t == a->parts->special)
    a->parts->unsure = true;
  s->busy = true;
  uint64_t *reads = ARENA_ARRAY(a->arena, uint64_t, a->words);
  looker inner = {.access = a,
                  .self = t,
                  .reads = reads,
                  .writes = l->writes,
                  .edge = l->edge};
  for (size_t i = 0; i < t->locals.len; i++)
    look_at_inits(&inner, t->locals.data[i]);
  for (uint32_t i = 0; i < a->own_words; i++)
    reads[a->shared_words + i] = 0;
  access_add_others(a, l->self, l->reads, reads);
  l->asks |= inner.asks;
  s->busy = false;
}

static void look_at_run(looker *l, const run *r)
{
  read_shared(l, SLOT_PROCESSES);
  for (size_t i = 0; i < r->args.len; i++)
    look_at_expr(l, r->args.data[i]);
  if (r->priority)
    look_at_expr(l, r->priority);
  look_at_new_process(l, r->process);
  change_processes(l, r->process);
}

/* ---- expressions ------------------------------------------------------ */

/* Nobody knows what C does, nor what two pieces of it share. */
static void look_at_embedded(looker *l, const expr *e)
{
  const model *m = l->access->model;
  access_add_everything(l->access, l->self, l->reads);
  if (m->c_code.data[e->value].kind == EMBED_RUNS)
    access_add_everything(l->access, l->self, l->writes);
}

void look_at_expr(looker *l, const expr *e)
{
  for (int i = 0; i < 3; i++)
    if (e->args[i])
      look_at_expr(l, e->args[i]);
  switch (e->op) {
  case OP_VAR:
    access_add_ref(l->access, l->self, e->ref, SIDE_OWN, l->reads);
    look_at_ref(l, e->ref);
    break;
  case OP_LEN:
  case OP_EMPTY:
  case OP_NEMPTY:
  case OP_FULL:
  case OP_NFULL:
    look_at_length(l, e);
    break;
  case OP_POLL:
    look_at_poll(l, e->poll);
    break;
  case OP_RUN:
    look_at_run(l, e->run);
    break;
  case OP_NR_PR:
    read_shared(l, SLOT_PROCESSES);
    break;
  case OP_LAST:
    read_shared(l, SLOT_LAST);
    break;
  case OP_TIMEOUT:
  case OP_ENABLED:
    l->asks = true;
    break;
  case OP_NP:
  case OP_PC_VALUE:
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
    look_at_processes(l, e);
    break;
  case OP_AT:
  case OP_REMOTE:
    look_at_remote(l, e);
    break;
  case OP_EMBED:
    look_at_embedded(l, e);
    break;
  default:
    break; /* constants, _pid, and arithmetic */
  }
}

/* ---- guards ------------------------------------------------------------ */

/* What 'nempty' and 'nfull' demand of their channel; 0: it is neither. */
static uint32_t demand_of(const expr *e)
{
  if (e->op == OP_NEMPTY)
    return USE_SOME;
  return e->op == OP_NFULL ? USE_ROOM : 0;
}

/* The class that the expression names, if it is one channel, with room, that is
** there from the start; otherwise NO_SLOT. */
static uint32_t only_channel(const looker *l, const expr *e)
{
  const access_sets *a = l->access;
  uint64_t *set = classes_of(l, e);
  uint32_t found = NO_SLOT, count = 0;
  for (uint32_t i = 0; i < a->channels.len; i++)
    if (slots_have(set, i)) {
      found = i;
      count++;
    }
  return count == 1 && found < a->parts->global_channels &&
                 a->channels.data[found].type->capacity
             ? found
             : NO_SLOT;
}

void look_at_guard(looker *l, const expr *e)
{
  if (e->op == OP_AND) {
    look_at_guard(l, e->args[0]);
    look_at_guard(l, e->args[1]);
    return;
  }
  uint32_t demand = demand_of(e);
  uint32_t class = demand ? only_channel(l, e->args[0]) : NO_SLOT;
  if (class == NO_SLOT) {
    look_at_expr(l, e);
    return;
  }
  look_at_expr(l, e->args[0]);
  slots_add(l->reads, access_length(l->access, class));
  note_use(l, class, demand);
}

/* ---- effects ----------------------------------------------------------- */

void look_at_effect(looker *l, const effect *f)
{
  if (f->value)
    look_at_expr(l, f->value);
  for (size_t i = 0; i < f->args.len; i++)
    look_at_expr(l, f->args.data[i]);
  if (f->kind == EFFECT_ASSIGN) {
    access_add_ref(l->access, l->self, f->target, SIDE_OWN, l->writes);
    look_at_ref(l, f->target);
  }
  if (f->kind == EFFECT_DIE) {
    change_processes(l, l->self);
    access_add_process(l->access, l->self, l->writes);
  }
}

/* ---- events ----------------------------------------------------------- */

static bool may_name(looker *l, const expr *e, const uint64_t *classes)
{
  uint64_t *set = classes_of(l, e);
  bool found = false;
  for (uint32_t i = 0; i < l->access->parts->flow.words; i++)
    found |= (set[i] & classes[i]) != 0;
  return found;
}

/* A trace looks at the channels and values of its own events. */
static void look_at_trace(looker *l, const process_type *trace, const comm *c,
                          const uint64_t *classes)
{
  uint32_t at = access_shared(l->access, SLOT_TRACE);
  for (size_t i = 0; i < trace->edges.len; i++) {
    const comm *event = trace->edges.data[i]->comm;
    if (!event)
      continue;
    look_at_expr(l, event->channel);
    for (size_t k = 0; k < event->args.len; k++)
      if (event->args.data[k].kind == ARG_VALUE)
        look_at_expr(l, event->args.data[k].value);
    if (event->kind == c->kind && may_name(l, event->channel, classes)) {
      slots_add(l->reads, at);
      slots_add(l->writes, at);
    }
  }
}

/* xr and xs: expressions of other processes are compared with the channel. */
static void look_at_only(looker *l, const process_type *t, const comm *c)
{
  const access_sets *a = l->access;
  size_t n = c->kind == COMM_RECEIVE ? t->only_reads.len : t->only_sends.len;
  expr *const *list =
      c->kind == COMM_RECEIVE ? t->only_reads.data : t->only_sends.data;
  if (!n)
    return;
  uint64_t *reads = ARENA_ARRAY(a->arena, uint64_t, a->words);
  looker other = {.access = a,
                  .self = t,
                  .reads = reads,
                  .writes = l->writes,
                  .edge = l->edge};
  for (size_t i = 0; i < n; i++) {
    look_at_expr(&other, list[i]);
    /* An index may have other values in others of this type. */
    if (t == a->parts->special &&
        (list[i]->op != OP_VAR || list[i]->ref->index))
      a->parts->unsure = true;
  }
  uint64_t *to = l->checks ? l->checks : l->reads;
  access_add_others(a, l->self, to, reads);
  l->asks |= other.asks;
  slots_add(to, access_shared(a, SLOT_PROCESSES));
}

static void look_at_event(looker *l, const comm *c, const uint64_t *classes)
{
  const model *m = l->access->model;
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *t = m->processes.data[i];
    bool traces = t->kind == PROCESS_TRACE || t->kind == PROCESS_NOTRACE;
    if (traces && !c->copy)
      look_at_trace(l, t, c, classes);
    look_at_only(l, t, c);
  }
}

/* ---- communications --------------------------------------------------- */

static uint32_t use_of_comm(const comm *c)
{
  if (c->kind == COMM_SEND)
    return c->sorted ? USE_SORTED : USE_SEND;
  return c->anywhere ? USE_PICK : USE_RECEIVE;
}

/* A channel with room for messages.  A receive that takes any message asks
** only whether there is one. */
static void use_buffer(looker *l, const comm *c, uint32_t class,
                       uint64_t *tests)
{
  const access_sets *a = l->access;
  if (c->kind == COMM_RECEIVE)
    slots_add(has_value(c) ? tests : l->reads, access_messages(a, class));
  else if (c->sorted)
    slots_add(l->reads, access_messages(a, class));
  if (c->copy)
    return;
  slots_add(l->writes, access_length(a, class));
  slots_add(l->writes, access_messages(a, class));
}

static void look_at_channels(looker *l, const comm *c, uint64_t *tests)
{
  uint64_t *set = classes_of(l, c->channel);
  for (uint32_t i = 0; i < l->access->channels.len; i++) {
    if (!slots_have(set, i))
      continue;
    slots_add(tests, access_length(l->access, i));
    note_use(l, i, use_of_comm(c));
    if (l->access->channels.data[i].type->capacity)
      use_buffer(l, c, i, tests);
    else if (l->edge)
      l->edge->flags |= ACCESS_MEETS;
  }
  look_at_event(l, c, set);
}

/* What is compared with a message decides; so does what is sent to somebody
** who may compare it. */
static void look_at_args(looker *l, const comm *c, uint64_t *tests)
{
  uint64_t *reads = l->reads;
  bool meets = l->edge && l->edge->flags & ACCESS_MEETS;
  for (size_t i = 0; i < c->args.len; i++) {
    const comm_arg *arg = &c->args.data[i];
    if (arg->kind == ARG_VALUE) {
      l->reads = c->kind != COMM_SEND || meets ? tests : reads;
      look_at_expr(l, arg->value);
      l->reads = reads;
    } else if (arg->kind == ARG_STORE) {
      access_add_ref(l->access, l->self, arg->target, SIDE_OWN, l->writes);
      look_at_ref(l, arg->target);
    }
  }
}

void look_at_comm(looker *l, const comm *c, uint64_t *tests)
{
  uint64_t *reads = l->reads;
  l->reads = tests;
  look_at_expr(l, c->channel);
  l->reads = reads;
  if (c->kind == COMM_SEND || c->kind == COMM_RECEIVE)
    look_at_channels(l, c, tests);
  else if (l->edge)
    l->edge->flags |= ACCESS_MEETS;
  look_at_args(l, c, tests);
}
