/* Channels become constants, arrays and lengths, for languages without
** channels of that kind. */

#include "convert/simplify.h"

#include <string.h>

static const span nowhere = {0};

/* What became of a channel: its number is its index and 1. */
typedef struct buffer {
  const channel_type *type;
  bool odd;     /* the target cannot say what is done with it */
  bool wrong;   /* some message has another number of values: a fault */
  var **fields; /* of its messages, by position */
  var *length;
} buffer;

typedef struct buffers {
  model *m;
  const abilities *able;
  VEC(buffer) list;
} buffers;

static expr *constant(buffers *b, int32_t value)
{
  return expr_const(b->m, value, nowhere);
}

static expr *binary(buffers *b, op o, expr *x, expr *y)
{
  return expr_new(b->m, o, x, y, NULL, nowhere);
}

/* ---- channels that never change ---------------------------------------- */

typedef struct holder {
  const var *var;
  int32_t first; /* number of the channel of its first element */
} holder;

typedef struct holders {
  buffers *b;
  VEC(holder) list;
} holders;

static bool is_assigned(const model *m, const var *v)
{
  for (size_t i = 0; i < m->edges.len; i++) {
    const edge *e = m->edges.data[i];
    for (size_t k = 0; k < e->effects.len; k++)
      if (e->effects.data[k]->target && e->effects.data[k]->target->var == v)
        return true;
    for (size_t k = 0; e->comm && k < e->comm->args.len; k++)
      if (e->comm->args.data[k].kind == ARG_STORE &&
          e->comm->args.data[k].target->var == v)
        return true;
  }
  return false;
}

/* The channel becomes one that was there from the start, and the variable a
** number that nobody looks at. */
static void settle(holders *h, var *v)
{
  model *m = h->b->m;
  holder one = {v, (int32_t)m->initial_channels.len + 1};
  for (uint32_t i = 0; i < v->length; i++) {
    vec_push(&v->init, expr_const(m, one.first + (int32_t)i, nowhere));
    model_add_initial_channel(m, v->init_channel);
  }
  v->init_channel = NULL;
  v->type = type_scalar(TYPE_BYTE);
  vec_push(&h->list, one);
}

static const holder *holder_of(const holders *h, const expr *e)
{
  if (e->op == OP_VAR && !e->ref->field)
    for (size_t i = 0; i < h->list.len; i++)
      if (h->list.data[i].var == e->ref->var)
        return &h->list.data[i];
  return NULL;
}

static void make_constant(void *context, process_type *owner, expr *e)
{
  const holder *h = holder_of(context, e);
  (void)owner;
  if (!h || (e->ref->index && e->ref->index->op != OP_CONST))
    return;
  int32_t at = e->ref->index ? e->ref->index->value : 0;
  if (at >= 0 && (uint32_t)at < h->var->length)
    *e = (expr){.op = OP_CONST, .value = h->first + at, .where = e->where};
}

static edge *copy_edge(model *m, const edge *from)
{
  process_type *p = from->process;
  edge *e = model_add_edge(m, p, from->source, from->target, from->where);
  e->flags = from->flags;
  e->rank = from->rank;
  e->block = from->block;
  e->guard = from->guard;
  e->text = from->text;
  for (size_t i = 0; i < from->effects.len; i++)
    vec_push(&e->effects, from->effects.data[i]);
  if (!from->comm)
    return e;
  e->comm = comm_new(m, from->comm->kind, from->comm->channel, nowhere);
  e->comm->sorted = from->comm->sorted;
  e->comm->anywhere = from->comm->anywhere;
  e->comm->copy = from->comm->copy;
  for (size_t i = 0; i < from->comm->args.len; i++)
    vec_push(&e->comm->args, from->comm->args.data[i]);
  return e;
}

/* A channel of an array: one edge for each that it may be. */
static bool choose_element(holders *h, const edge *from)
{
  const holder *of = from->comm ? holder_of(h, from->comm->channel) : NULL;
  for (uint32_t i = 0; of && i < of->var->length; i++) {
    edge *e = copy_edge(h->b->m, from);
    expr *here = binary(h->b, OP_EQ, from->comm->channel->ref->index,
                        constant(h->b, (int32_t)i));
    e->guard = simplify_both(h->b->m, here, e->guard);
    e->comm->channel = constant(h->b, of->first + (int32_t)i);
  }
  return of;
}

/* Replaces edges of all processes by others; 'replace' adds those behind the
** edges there are, and answers whether it did.  The order stays. */
static void replace_edges(buffers *b, bool (*replace)(void *, edge *),
                          void *context)
{
  for (size_t i = 0; i < b->m->processes.len; i++) {
    process_type *p = b->m->processes.data[i];
    VEC(edge *) old = {0};
    for (size_t k = 0; k < p->edges.len; k++)
      vec_push(&old, p->edges.data[k]);
    vec_clear(&p->edges);
    for (size_t k = 0; k < old.len; k++)
      if (!replace(context, old.data[k]))
        vec_push(&p->edges, old.data[k]);
    vec_free(&old);
  }
}

static bool choose_any(void *context, edge *e)
{
  return choose_element(context, e);
}

static void settle_channels(buffers *b)
{
  model *m = b->m;
  holders h = {.b = b};
  for (size_t i = 0; i < m->globals.len; i++) {
    var *v = m->globals.data[i];
    if (v->init_channel && !is_assigned(m, v))
      settle(&h, v);
  }
  simplify_visit(m, make_constant, &h);
  replace_edges(b, choose_any, &h);
  vec_free(&h.list);
}

/* ---- which of them need variables -------------------------------------- */

static buffer *buffer_of(buffers *b, const expr *channel)
{
  bool known = channel->op == OP_CONST && channel->value >= 1 &&
               (size_t)channel->value <= b->list.len;
  buffer *f = known ? &b->list.data[channel->value - 1] : NULL;
  return f && f->type->capacity ? f : NULL;
}

/* Whether 'else' or 'unless' asks if the edge can be executed. */
static bool is_asked(const edge *e)
{
  const process_type *p = e->process;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->source == e->source &&
        (p->edges.data[i]->rank || (p->edges.data[i]->flags & EDGE_ELSE)))
      return true;
  return false;
}

/* A message that is only looked at may be shorter. */
static bool is_wrong_use(const buffer *f, const comm *c)
{
  size_t count = f->type->fields.len;
  return c->copy ? c->args.len > count : c->args.len != count;
}

static bool is_odd_use(const buffer *f, const edge *e)
{
  const comm *c = e->comm;
  if (c->anywhere || c->copy || is_asked(e))
    return true;
  for (size_t i = 0; i < c->args.len && c->kind == COMM_RECEIVE; i++)
    if (c->args.data[i].kind != ARG_STORE)
      return true;
  return c->args.len != f->type->fields.len;
}

static bool is_odd_type(const buffers *b, const type *t)
{
  if (!b->able->has_types)
    return t->kind != TYPE_BYTE && t->kind != TYPE_SHORT;
  return t->kind == TYPE_UNSIGNED || t->kind == TYPE_RANGE;
}

static void find_asked(void *context, process_type *owner, expr *e)
{
  buffers *b = context;
  bool asks = e->op == OP_LEN || e->op == OP_EMPTY || e->op == OP_NEMPTY ||
              e->op == OP_FULL || e->op == OP_NFULL || e->op == OP_POLL;
  const expr *channel = e->op == OP_POLL ? e->poll->channel : e->args[0];
  buffer *f = asks && channel ? buffer_of(b, channel) : NULL;
  (void)owner;
  if (!f)
    return;
  f->odd = true;
  f->wrong |= e->op == OP_POLL && is_wrong_use(f, e->poll);
}

static void find_odd(buffers *b)
{
  for (size_t i = 0; i < b->list.len; i++) {
    buffer *f = &b->list.data[i];
    f->odd = !b->able->has_channels;
    for (size_t k = 0; k < f->type->fields.len; k++)
      f->odd |= is_odd_type(b, &f->type->fields.data[k]);
  }
  for (size_t i = 0; i < b->m->processes.len; i++) {
    const process_type *p = b->m->processes.data[i];
    for (size_t k = 0; k < p->edges.len; k++) {
      const edge *e = p->edges.data[k];
      buffer *f = e->comm ? buffer_of(b, e->comm->channel) : NULL;
      if (f && is_odd_use(f, e))
        f->odd = true;
      if (f)
        f->wrong |= is_wrong_use(f, e->comm);
    }
  }
  simplify_visit(b->m, find_asked, b);
  for (size_t i = 0; i < b->list.len; i++)
    b->list.data[i].odd &= !b->list.data[i].wrong;
}

/* ---- variables --------------------------------------------------------- */

/* Arrays have no room for less than a byte. */
static type element_type(const type *t)
{
  return t->kind != TYPE_UNSIGNED ? *t
         : t->bits <= 8           ? type_scalar(TYPE_BYTE)
         : t->bits <= 15          ? type_scalar(TYPE_SHORT)
                                  : type_scalar(TYPE_INT);
}

/* The channel that was there has no buffer any more. */
static void forget(buffers *b, size_t index)
{
  const channel_type *old = b->m->initial_channels.data[index];
  b->m->initial_channels.data[index] =
      model_add_channel_type(b->m, old->name, 0, nowhere);
}

static void make_buffer(buffers *b, buffer *f)
{
  arena *a = b->m->arena;
  size_t count = f->type->fields.len;
  f->fields = ARENA_ARRAY(a, var *, count + 1);
  for (size_t i = 0; i < count; i++) {
    f->fields[i] =
        model_add_global(b->m, arena_printf(a, "%s_%zu", f->type->name, i),
                         element_type(&f->type->fields.data[i]), nowhere);
    f->fields[i]->length = f->type->capacity;
    f->fields[i]->flags |= VAR_ARRAY;
  }
  f->length = model_add_global(
      b->m, arena_printf(a, "%s_len", f->type->name),
      type_scalar(f->type->capacity < 256 ? TYPE_BYTE : TYPE_SHORT), nowhere);
}

static ref *slot(buffers *b, const buffer *f, size_t field, expr *at)
{
  return ref_new(b->m, f->fields[field], at, NULL, nowhere);
}

static expr *in_slot(buffers *b, const buffer *f, size_t field, uint32_t at)
{
  return expr_var(b->m, slot(b, f, field, constant(b, (int32_t)at)), nowhere);
}

static ref *length_ref(buffers *b, const buffer *f)
{
  return ref_new(b->m, f->length, NULL, NULL, nowhere);
}

static expr *length_of(buffers *b, const buffer *f)
{
  return expr_var(b->m, length_ref(b, f), nowhere);
}

/* ---- what is done with them -------------------------------------------- */

/* What a field keeps of a value, where an array would keep more. */
static expr *kept(buffers *b, const type *t, expr *value)
{
  bool narrow = t->kind == TYPE_BIT || t->kind == TYPE_BOOL ||
                (t->kind == TYPE_UNSIGNED && t->bits < 32);
  return narrow ? binary(b, OP_BITAND, value, constant(b, t->hi)) : value;
}

/* The effects that were there come behind those that are added now. */
static void put_first(edge *e, size_t count)
{
  size_t added = e->effects.len - count;
  VEC(effect *) old = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&old, e->effects.data[i]);
  memmove(e->effects.data, e->effects.data + count,
          added * sizeof *e->effects.data);
  for (size_t i = 0; i < count; i++)
    e->effects.data[added + i] = old.data[i];
  vec_free(&old);
}

static void send(buffers *b, const buffer *f, edge *e)
{
  const comm *c = e->comm;
  size_t count = e->effects.len;
  expr *room = binary(b, OP_LT, length_of(b, f),
                      constant(b, (int32_t)f->type->capacity));
  e->guard = simplify_both(b->m, e->guard, room);
  for (size_t i = 0; i < f->type->fields.len; i++) {
    expr *value = i < c->args.len ? c->args.data[i].value : constant(b, 0);
    simplify_assign(b->m, e, slot(b, f, i, length_of(b, f)),
                    kept(b, &f->type->fields.data[i], value));
  }
  simplify_assign(b->m, e, length_ref(b, f),
                  binary(b, OP_ADD, length_of(b, f), constant(b, 1)));
  put_first(e, count);
  e->comm = NULL;
}

/* That there is a message at this position, and it fits. */
static expr *fits(buffers *b, const buffer *f, const comm *c, uint32_t at)
{
  expr *all = binary(b, OP_GT, length_of(b, f), constant(b, (int32_t)at));
  for (size_t i = 0; i < c->args.len && i < f->type->fields.len; i++)
    if (c->args.data[i].kind == ARG_VALUE)
      all = simplify_both(
          b->m, all,
          binary(b, OP_EQ, in_slot(b, f, i, at), c->args.data[i].value));
  return all;
}

/* Those behind come closer, and the last slot is empty. */
static void take_out(buffers *b, const buffer *f, edge *e, uint32_t at)
{
  uint32_t last = f->type->capacity - 1;
  for (size_t i = 0; i < f->type->fields.len; i++) {
    const type *t = &f->fields[i]->type;
    bool has_zero = t->lo <= 0 && t->hi >= 0;
    for (uint32_t k = at; k < last; k++)
      simplify_assign(b->m, e, slot(b, f, i, constant(b, (int32_t)k)),
                      in_slot(b, f, i, k + 1));
    simplify_assign(b->m, e, slot(b, f, i, constant(b, (int32_t)last)),
                    constant(b, has_zero ? 0 : t->lo));
  }
  simplify_assign(b->m, e, length_ref(b, f),
                  binary(b, OP_SUB, length_of(b, f), constant(b, 1)));
}

static void receive(buffers *b, const buffer *f, edge *e, uint32_t at)
{
  const comm *c = e->comm;
  size_t count = e->effects.len;
  expr *here = fits(b, f, c, at);
  for (uint32_t k = 0; k < at; k++)
    here = simplify_both(
        b->m, here,
        expr_new(b->m, OP_NOT, fits(b, f, c, k), NULL, NULL, nowhere));
  e->guard = simplify_both(b->m, e->guard, here);
  for (size_t i = 0; i < c->args.len && i < f->type->fields.len; i++)
    if (c->args.data[i].kind == ARG_STORE)
      simplify_assign(b->m, e, c->args.data[i].target, in_slot(b, f, i, at));
  if (!c->copy)
    take_out(b, f, e, at);
  put_first(e, count);
  e->comm = NULL;
}

static bool replace_comm(void *context, edge *e)
{
  buffers *b = context;
  const buffer *f = e->comm ? buffer_of(b, e->comm->channel) : NULL;
  if (!f || !f->odd || e->comm->sorted)
    return false;
  if (e->comm->kind == COMM_SEND) {
    send(b, f, e);
    return false;
  }
  uint32_t positions = e->comm->anywhere ? f->type->capacity : 1;
  for (uint32_t i = 1; i < positions; i++)
    receive(b, f, copy_edge(b->m, e), i);
  receive(b, f, e, 0);
  return false;
}

static expr *poll(buffers *b, const buffer *f, const comm *c)
{
  expr *some = fits(b, f, c, 0);
  for (uint32_t i = 1; c->anywhere && i < f->type->capacity; i++)
    some = binary(b, OP_OR, some, fits(b, f, c, i));
  return some;
}

static void replace_question(void *context, process_type *owner, expr *e)
{
  buffers *b = context;
  const expr *channel = e->op == OP_POLL ? e->poll->channel : e->args[0];
  const buffer *f = channel ? buffer_of(b, channel) : NULL;
  int32_t capacity = f ? (int32_t)f->type->capacity : 0;
  (void)owner;
  if (!f || !f->odd)
    return;
  switch (e->op) {
  case OP_LEN:
    *e = *length_of(b, f);
    break;
  case OP_EMPTY:
    *e = *binary(b, OP_EQ, length_of(b, f), constant(b, 0));
    break;
  case OP_NEMPTY:
    *e = *binary(b, OP_NE, length_of(b, f), constant(b, 0));
    break;
  case OP_FULL:
    *e = *binary(b, OP_EQ, length_of(b, f), constant(b, capacity));
    break;
  case OP_NFULL:
    *e = *binary(b, OP_NE, length_of(b, f), constant(b, capacity));
    break;
  case OP_POLL:
    *e = *poll(b, f, e->poll);
    break;
  default:
    break;
  }
}

void simplify_channels(model *m, const abilities *t)
{
  buffers b = {.m = m, .able = t};
  settle_channels(&b);
  for (size_t i = 0; i < m->initial_channels.len; i++)
    vec_push(&b.list, ((buffer){.type = m->initial_channels.data[i]}));
  find_odd(&b);
  for (size_t i = 0; i < b.list.len; i++)
    if (b.list.data[i].odd && b.list.data[i].type->capacity) {
      make_buffer(&b, &b.list.data[i]);
      forget(&b, i);
    }
  simplify_visit(m, replace_question, &b);
  replace_edges(&b, replace_comm, &b);
  vec_free(&b.list);
}
