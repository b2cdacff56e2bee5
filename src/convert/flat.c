/* Lists the steps of a model whose processes are all there at the start;
** refuses the others with a reason. */

#include "convert/flat.h"

/* A multicast to many who can each answer in several ways is many steps. */
enum { STEPS_MAX = 200000 };

/* ---- what cannot be told ----------------------------------------------- */

static bool refuse(flat *f, const char *reason)
{
  if (!f->why->len)
    text_add(f->why, reason);
  return false;
}

static bool check_flags(flat *f)
{
  static const struct {
    uint32_t flag;
    const char *reason;
  } reasons[] = {
      {MODEL_HAS_PLUGIN, "its steps are computed by a plug-in"},
      {MODEL_LOSES, "messages may be lost"},
      {MODEL_HAS_RUN, "processes are created while the model runs"},
      {MODEL_HAS_DEATH, "processes end and disappear"},
      {MODEL_HAS_PRIORITY, "processes have priorities"},
      {MODEL_HAS_LAST, "'_last' is used"},
      {MODEL_HAS_TIMEOUT, "'timeout' is used"},
      {MODEL_HAS_HIDDEN, "variables are hidden"},
      {MODEL_SYNCHRONOUS, "all processes move at once (a synchronous system)"},
  };
  /* Formulas are not carried over: what they alone need does not matter. */
  const uint32_t needs =
      MODEL_HAS_PRIORITY | MODEL_HAS_LAST | MODEL_HAS_TIMEOUT;
  uint32_t flags = (f->m->flags & ~needs) | f->m->step_needs;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (flags & reasons[i].flag)
      return refuse(f, reasons[i].reason);
  return true;
}

static bool check_edge(flat *f, const edge *e)
{
  if (e->flags & (EDGE_ATOMIC | EDGE_DSTEP))
    return refuse(f, "steps are joined by 'atomic' or 'd_step'");
  if (e->flags & EDGE_ELSE)
    return refuse(f, "'else' depends on what else can be executed");
  if (e->rank)
    return refuse(f, "'unless' is used");
  if (!e->comm)
    return true;
  bool port = e->comm->kind == COMM_MULTICAST || e->comm->kind == COMM_JOIN;
  const expr *c = e->comm->channel;
  if (c->op != OP_CONST ||
      (!port &&
       (c->value < 1 || (size_t)c->value > f->m->initial_channels.len)))
    return refuse(f, "which channel is used is not known before the run");
  if (!port && f->m->initial_channels.data[c->value - 1]->fields.len !=
                   e->comm->args.len)
    return refuse(f, "messages do not have the fields of their channels");
  if (e->comm->sorted || e->comm->anywhere || e->comm->copy)
    return refuse(f, "channels are used out of order");
  if (port && (f->m->flags & MODEL_HAS_COMMITTED))
    return refuse(f, "multicast and committed locations together");
  return true;
}

static bool check_process(flat *f, const process_type *p)
{
  if (p->kind == PROCESS_TRACE || p->kind == PROCESS_NOTRACE)
    return refuse(f, "'trace' is used");
  if (p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT)
    return true; /* an observer changes no step */
  if (p->provided)
    return refuse(f, "'provided' is used");
  if (p->only_reads.len || p->only_sends.len)
    return refuse(f, "'xr' or 'xs' is used");
  for (size_t i = 0; i < p->edges.len; i++)
    if (!check_edge(f, p->edges.data[i]))
      return false;
  return true;
}

/* ---- steps ------------------------------------------------------------- */

static bool is_never(const edge *e)
{
  return e->guard && e->guard->op == OP_CONST && !e->guard->value;
}

bool flat_can_answer(const edge *sender, const edge *e)
{
  comm_kind wanted = sender->comm->kind == COMM_SEND ? COMM_RECEIVE : COMM_JOIN;
  if (!e->comm || e->comm->kind != wanted || e->comm->copy || is_never(e) ||
      e->comm->channel->value != sender->comm->channel->value)
    return false;
  size_t count = e->comm->args.len;
  for (size_t i = 0; i < count && i < sender->comm->args.len; i++) {
    const comm_arg *a = &e->comm->args.data[i],
                   *b = &sender->comm->args.data[i];
    if (a->kind == ARG_VALUE && a->value->op == OP_CONST &&
        b->value->op == OP_CONST && a->value->value != b->value->value)
      return false;
  }
  return true;
}

static void add_part(flat *f, uint32_t who, const edge *e)
{
  flat_part p = {who, e};
  vec_push(&f->parts, p);
}

/* Ends the step whose parts and absent ones were added since 'first'. */
static bool end_step(flat *f, size_t first, size_t absent)
{
  flat_step s = {(uint32_t)first, (uint32_t)(f->parts.len - first),
                 (uint32_t)absent, (uint32_t)(f->absent.len - absent)};
  vec_push(&f->steps, s);
  return f->steps.len <= STEPS_MAX ||
         refuse(f, "there are too many ways to communicate");
}

static bool add_rendezvous(flat *f, uint32_t who, const edge *e)
{
  for (uint32_t other = 0; other < f->m->initial.len; other++) {
    const process_type *p = flat_type(f, other);
    for (size_t i = 0; i < p->edges.len && other != who; i++) {
      if (!flat_can_answer(e, p->edges.data[i]))
        continue;
      size_t first = f->parts.len;
      add_part(f, who, e);
      add_part(f, other, p->edges.data[i]);
      if (!end_step(f, first, f->absent.len))
        return false;
    }
  }
  return true;
}

/* A choice that is being made for a multicast, by all members so far. */
typedef struct gathering {
  VEC(flat_part) joined;
  VEC(uint32_t) absent;
} gathering;

static bool add_gathering(flat *f, const gathering *g)
{
  size_t first = f->parts.len, absent = f->absent.len;
  for (size_t i = 0; i < g->joined.len; i++)
    vec_push(&f->parts, g->joined.data[i]);
  for (size_t i = 0; i < g->absent.len; i++)
    vec_push(&f->absent, g->absent.data[i]);
  return end_step(f, first, absent);
}

/* Members from 'other' on make their choice; the sender made his. */
static bool gather(flat *f, gathering *g, uint32_t other)
{
  const flat_part sender = g->joined.data[0];
  if (other == f->m->initial.len)
    return add_gathering(f, g);
  const process_type *p = flat_type(f, other);
  bool member = false, fine = true;
  for (size_t i = 0; i < p->edges.len && other != sender.who && fine; i++) {
    const edge *e = p->edges.data[i];
    if (!flat_can_answer(sender.edge, e))
      continue;
    flat_part joins = {other, e};
    member = true;
    vec_push(&g->joined, joins);
    fine = gather(f, g, other + 1);
    (void)vec_pop(&g->joined);
  }
  if (member)
    vec_push(&g->absent, other);
  fine = fine && gather(f, g, other + 1);
  if (member)
    (void)vec_pop(&g->absent);
  return fine;
}

static bool add_multicast(flat *f, uint32_t who, const edge *e)
{
  gathering g = {0};
  flat_part sender = {who, e};
  vec_push(&g.joined, sender);
  bool fine = gather(f, &g, 0);
  vec_free(&g.joined);
  vec_free(&g.absent);
  return fine;
}

static bool add_steps(flat *f, uint32_t who, const edge *e)
{
  if (is_never(e))
    return true;
  if (e->comm && e->comm->kind == COMM_MULTICAST)
    return add_multicast(f, who, e);
  if (e->comm && e->comm->kind == COMM_JOIN)
    return true;
  if (e->comm && !flat_channel(f, e->comm)->capacity)
    return e->comm->kind != COMM_SEND || add_rendezvous(f, who, e);
  size_t first = f->parts.len;
  add_part(f, who, e);
  return end_step(f, first, f->absent.len);
}

bool flat_build(flat *f, const model *m, text *why)
{
  *f = (flat){.m = m, .arena = arena_create(), .why = why};
  if (!check_flags(f))
    return false;
  for (size_t i = 0; i < m->processes.len; i++)
    if (!check_process(f, m->processes.data[i]))
      return false;
  for (uint32_t who = 0; who < m->initial.len; who++) {
    const process_type *p = flat_type(f, who);
    for (size_t i = 0; i < p->edges.len; i++)
      if (!add_steps(f, who, p->edges.data[i]))
        return false;
  }
  return true;
}

void flat_free(flat *f)
{
  vec_free(&f->steps);
  vec_free(&f->parts);
  vec_free(&f->absent);
  arena_destroy(f->arena);
}

/* ---- who is meant ------------------------------------------------------ */

uint32_t flat_looked_at(flat *f, uint32_t self, const expr *e)
{
  const expr *number = e->args[0];
  const process_type *of = e->process;
  if (number->op == OP_PID)
    return self;
  if (number->op == OP_CONST && number->value >= 0 &&
      (size_t)number->value < f->m->initial.len &&
      flat_type(f, (uint32_t)number->value) == of)
    return (uint32_t)number->value;
  uint32_t found = UINT32_MAX, count = 0;
  for (uint32_t i = 0; i < f->m->initial.len; i++)
    if (flat_type(f, i) == of) {
      found = i;
      count++;
    }
  if (number->op == OP_CONST && number->value == -1 && count == 1)
    return found;
  refuse(f, "it is not known before the run which process is looked at");
  return UINT32_MAX;
}
