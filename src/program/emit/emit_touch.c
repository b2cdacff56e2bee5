/* What the steps of a process at a location may have to do with the globals, for
** searches that leave out one of two orders (search/levels/asleep.h).
**
** A bit stands for some bytes of the globals, or for some channels: where there
** are queues, the upper ones.  Of an element whose index is known only when the
** step is made, the bit is computed then.  What is not known to be harmless has
** to do with everything: steps that are made of several, rendezvous, what asks
** for other processes, processes that come and go. */

#include "program/emit/emit_internal.h"

/* Of the bits; the last one is NUT_TOUCH_ANY. */
enum { CHANNEL_BITS = 16, FIRST_CHANNEL = 63 - CHANNEL_BITS };
#define ALL_CHANNELS (((UINT64_C(1) << CHANNEL_BITS) - 1) << FIRST_CHANNEL)

typedef struct touching {
  emitter *emitter;      /* its 'written' is what may have been, by then */
  uint64_t uses, writes; /* of the globals */
  text *used, *written;  /* " | bits" for what indices decide */
  bool all;
} touching;

/* ---- bits --------------------------------------------------------------- */

static uint32_t bit_shift(const layout *l)
{
  uint32_t bytes = l->globals_end - l->hidden, shift = 0;
  uint32_t bits = l->channel_types ? FIRST_CHANNEL : 63;
  while (bytes && (bytes - 1) >> shift >= bits)
    shift++;
  return shift;
}

static uint64_t bits_of(const layout *l, const extent *x)
{
  uint32_t shift = bit_shift(l);
  uint32_t first = (x->from - l->hidden) >> shift;
  uint32_t last = (x->to - 1 - l->hidden) >> shift;
  return (UINT64_C(2) << last) - (UINT64_C(1) << first);
}

static void add_text(text *to, const char *bits)
{
  if (!strstr(text_string(to), bits))
    text_add(to, bits);
}

static void add_bits(touching *t, uint64_t bits, bool writes)
{
  t->uses |= bits;
  if (writes)
    t->writes |= bits;
}

/* ---- values ------------------------------------------------------------- */

static void touch_place(touching *, const place *, bool writes);
static void touch_channel(touching *, const node *channel, bool writes);
static void touch_arguments(touching *, const ccomm *);

static place place_of_node(const node *n)
{
  bool local = n->op == NODE_L8 || n->op == NODE_L16 || n->op == NODE_L32;
  bool two = n->op == NODE_G16 || n->op == NODE_L16;
  bool four = n->op == NODE_G32 || n->op == NODE_L32;
  return (place){.base = local ? BASE_SELF : BASE_STATE,
                 .keep = {.kind = two    ? KEEP_S16
                                  : four ? KEEP_S32
                                         : KEEP_U8},
                 .offset = (uint32_t)n->value};
}

static void touch_value(touching *t, const node *n)
{
  place p;
  switch ((node_op)n->op) {
  case NODE_CONST:
  case NODE_PID:
  case NODE_L8:
  case NODE_L16:
  case NODE_L32:
    break;
  case NODE_LX8:
    touch_value(t, n->a);
    break;
  case NODE_G8:
  case NODE_G16:
  case NODE_G32:
    p = place_of_node(n);
    touch_place(t, &p, false);
    break;
  case NODE_GX8:
    p = place_of_node(n);
    p.one = (dimension){n->a, n->u.x.bound, n->u.x.stride};
    p.dims = &p.one;
    p.dimensions = 1;
    touch_place(t, &p, false);
    break;
  case NODE_LOAD:
    p = emit_place_of(n->u.address);
    touch_place(t, &p, false);
    break;
  case NODE_COND:
    touch_value(t, n->c); /* fall through */
  case NODE_AND:
  case NODE_OR:
  case NODE_IMPLY:
  case NODE_EQ:
  case NODE_NE:
  case NODE_LT:
  case NODE_LE:
  case NODE_GT:
  case NODE_GE:
  case NODE_ADD:
  case NODE_SUB:
  case NODE_MUL:
  case NODE_DIV:
  case NODE_MOD:
  case NODE_BITAND:
  case NODE_BITOR:
  case NODE_BITXOR:
  case NODE_SHL:
  case NODE_SHR:
    touch_value(t, n->b); /* fall through */
  case NODE_NOT:
  case NODE_NEG:
  case NODE_COMPL:
    touch_value(t, n->a);
    break;
  case NODE_LEN:
  case NODE_EMPTY:
  case NODE_NEMPTY:
  case NODE_FULL:
  case NODE_NFULL:
    touch_channel(t, n->a, false);
    break;
  case NODE_POLL:
    touch_channel(t, n->u.comm->channel, false);
    touch_arguments(t, n->u.comm);
    break;
  case NODE_VAR:
  case NODE_RUN:
  case NODE_NR_PR:
  case NODE_LAST:
  case NODE_TIMEOUT:
  case NODE_NP:
  case NODE_ENABLED:
  case NODE_PC_VALUE:
  case NODE_PRIORITY:
  case NODE_SET_PRIORITY:
  case NODE_AT:
  case NODE_REMOTE:
  case NODE_EMBED:
    t->all = true;
    break;
  }
}

/* ---- variables ---------------------------------------------------------- */

/* Whether it may have another value by then than before the step. */
static bool was_written(const emitter *e, const extent *own)
{
  for (size_t i = 0; i < e->written.len; i++)
    if (emit_overlap(&e->written.data[i], own))
      return true;
  return false;
}

/* Whether an index is made of numbers and plain variables that have the value
** that they had before the step. */
static bool is_steady(const touching *t, const node *n)
{
  place p;
  switch (n->op) {
  case NODE_CONST:
  case NODE_PID:
    return true;
  case NODE_ADD:
  case NODE_SUB:
  case NODE_MUL:
    return is_steady(t, n->a) && is_steady(t, n->b);
  case NODE_L8:
  case NODE_L16:
  case NODE_L32:
  case NODE_G8:
  case NODE_G16:
  case NODE_G32:
    p = place_of_node(n);
    break;
  case NODE_LOAD:
    p = emit_place_of(n->u.address);
    break;
  default:
    return false;
  }
  extent own = emit_extent(&p);
  return !p.dimensions && p.base != BASE_REMOTE &&
         !was_written(t->emitter, &own);
}

/* The element that an index chooses. */
static void touch_element(touching *t, const place *p, bool writes)
{
  emitter *e = t->emitter;
  const dimension *d = &p->dims[0];
  uint32_t at = p->offset - e->layout->hidden, shift = bit_shift(e->layout);
  uint32_t last = keep_bytes(p->keep) - 1;
  text *index = emit_text(e), *bits = emit_text(e);
  emit_value(e, d->index, index);
  text_printf(bits, " | nut_touch_byte(%u + (uint32_t)(%s) * %u, %u)", at,
              text_string(index), d->stride, shift);
  if (last)
    text_printf(bits, " | nut_touch_byte(%u + (uint32_t)(%s) * %u, %u)",
                at + last, text_string(index), d->stride, shift);
  add_text(t->used, text_string(bits));
  if (writes)
    add_text(t->written, text_string(bits));
  emit_done(e, index);
  emit_done(e, bits);
}

/* A variable; what is inside the process nobody else knows, but who asks for
** it, and has to do with everything. */
static void touch_place(touching *t, const place *p, bool writes)
{
  for (uint32_t i = 0; i < p->dimensions; i++)
    touch_value(t, p->dims[i].index);
  if (p->base == BASE_SELF)
    return;
  if (p->base != BASE_STATE || p->hidden) {
    t->all = true;
    return;
  }
  extent x = emit_extent(p);
  uint64_t bits = bits_of(t->emitter->layout, &x);
  if (p->dimensions == 1 && bits & (bits - 1) && is_steady(t, p->dims[0].index))
    touch_element(t, p, writes);
  else
    add_bits(t, bits, writes);
}

/* ---- channels ------------------------------------------------------------ */

static uint64_t bit_of_channel(uint32_t number)
{
  return UINT64_C(1) << (FIRST_CHANNEL + number % CHANNEL_BITS);
}

/* The one whose number is 'first' more than a value. */
static void touch_numbered(touching *t, uint32_t first, const node *value,
                           bool writes)
{
  emitter *e = t->emitter;
  text *number = emit_text(e), *bits = emit_text(e);
  emit_value(e, value, number);
  text_printf(bits, " | UINT64_C(1) << (%d + ((uint32_t)(%s) + %u) %% %d)",
              FIRST_CHANNEL, text_string(number), first, CHANNEL_BITS);
  add_text(t->used, text_string(bits));
  if (writes)
    add_text(t->written, text_string(bits));
  emit_done(e, number);
  emit_done(e, bits);
}

static void touch_channel(touching *t, const node *channel, bool writes)
{
  const emitter *e = t->emitter;
  site at = emit_site(e, channel);
  const known_channel *k = at.known;
  if (k ? !e->layout->channels[k->kind].capacity : e->has_rendezvous) {
    t->all = true;
    return;
  }
  const node *value = k ? at.index : channel;
  if (value)
    touch_value(t, value);
  if (!value)
    add_bits(t, bit_of_channel(k->first + at.element), writes);
  else if (is_steady(t, value))
    touch_numbered(t, k ? k->first : 0, value, writes);
  else
    add_bits(t, ALL_CHANNELS, writes);
}

/* What is sent, or must be equal to what is received. */
static void touch_arguments(touching *t, const ccomm *c)
{
  for (uint32_t i = 0; i < c->arg_count; i++)
    if (c->args[i].kind == ARG_VALUE)
      touch_value(t, c->args[i].value);
}

static void note_received(emitter *e, const ccomm *c)
{
  for (uint32_t i = 0; i < c->arg_count; i++) {
    if (c->args[i].kind != ARG_STORE)
      continue;
    place p = emit_place_of(c->args[i].target);
    vec_push(&e->written, emit_extent(&p));
  }
}

static void touch_comm(touching *t, const ccomm *c)
{
  if (c->kind != COMM_SEND && c->kind != COMM_RECEIVE) {
    t->all = true;
    return;
  }
  touch_channel(t, c->channel, true);
  touch_arguments(t, c);
  note_received(t->emitter, c);
  for (uint32_t i = 0; i < c->arg_count; i++)
    if (c->args[i].kind == ARG_STORE) {
      place p = emit_place_of(c->args[i].target);
      touch_place(t, &p, true);
    }
}

/* ---- edges -------------------------------------------------------------- */

static void touch_effect(touching *t, const ceffect *f)
{
  if (f->kind == EFFECT_DIE) {
    t->all = true;
    return;
  }
  if (f->value)
    touch_value(t, f->value);
  for (uint32_t i = 0; i < f->arg_count; i++)
    touch_value(t, f->args[i]);
  if (f->kind == EFFECT_ASSIGN) {
    place p = emit_place_of(f->target);
    touch_place(t, &p, true);
  }
}

static void note_write(emitter *e, const ceffect *f)
{
  if (f->kind != EFFECT_ASSIGN)
    return;
  place p = emit_place_of(f->target);
  vec_push(&e->written, emit_extent(&p));
}

/* An edge by itself, behind what is written already. */
static void touch_plain(touching *t, const cedge *arc)
{
  if (arc->flags & (EDGE_DSTEP | EDGE_PLUGIN)) {
    t->all = true;
    return;
  }
  if (arc->guard)
    touch_value(t, arc->guard);
  if (arc->comm)
    touch_comm(t, arc->comm);
  for (uint32_t i = 0; i < arc->effect_count && !t->all; i++) {
    touch_effect(t, &arc->effects[i]);
    if (!(arc->flags & EDGE_PARALLEL))
      note_write(t->emitter, &arc->effects[i]);
  }
}

/* ---- d_steps ------------------------------------------------------------ */

static const cedge *edge_of(const emitter *e, uint32_t at, uint32_t i)
{
  const clocation *from = &e->process->locations[at];
  return i < from->count ? &e->code->edges[from->first + i] : NULL;
}

/* Adds the inner locations behind this one. */
static void find_behind(emitter *e, uint32_t at)
{
  const cedge *arc;
  for (uint32_t i = 0; (arc = edge_of(e, at, i)); i++) {
    bool known = !(e->process->locations[arc->target].flags & LOC_DSTEP);
    for (size_t k = 0; k < e->inner.len && !known; k++)
      known = e->inner.data[k] == arc->target;
    if (!known)
      vec_push(&e->inner, arc->target);
  }
}

static void note_writes_at(emitter *e, uint32_t at)
{
  const cedge *arc;
  for (uint32_t i = 0; (arc = edge_of(e, at, i)); i++) {
    if (arc->comm)
      note_received(e, arc->comm);
    for (uint32_t k = 0; k < arc->effect_count; k++)
      note_write(e, &arc->effects[k]);
  }
}

/* Its first location comes before anything is written, unless it comes again;
** at the others all may have been written that the block writes. */
static void touch_block(touching *t, const cedge *block)
{
  emitter *e = t->emitter;
  const cedge *arc;
  vec_clear(&e->inner);
  find_behind(e, block->block);
  for (size_t i = 0; i < e->inner.len; i++)
    find_behind(e, e->inner.data[i]);
  for (uint32_t i = 0; (arc = edge_of(e, block->block, i)); i++) {
    vec_clear(&e->written);
    touch_plain(t, arc);
  }
  vec_clear(&e->written);
  note_writes_at(e, block->block);
  for (size_t i = 0; i < e->inner.len; i++)
    note_writes_at(e, e->inner.data[i]);
  for (size_t i = 0; i < e->inner.len; i++)
    for (uint32_t k = 0; (arc = edge_of(e, e->inner.data[i], k)); k++)
      touch_plain(t, arc);
}

static void touch_edge(touching *t, const cedge *arc)
{
  vec_clear(&t->emitter->written);
  if (arc->flags & EDGE_ATOMIC)
    t->all = true;
  else if (arc->flags & EDGE_DSTEP)
    touch_block(t, arc);
  else
    touch_plain(t, arc);
}

/* What every step has to do with, or what decides from outside. */
static bool is_entangled(const emitter *e)
{
  const layout *l = e->layout;
  return l->has_last || l->has_trace || l->has_priority || l->hidden ||
         e->process->provided || e->model->flags & MODEL_HAS_COMMITTED;
}

void emit_touches(emitter *e, const clocation *at)
{
  touching t = {.emitter = e, .all = is_entangled(e)};
  t.used = emit_text(e);
  t.written = emit_text(e);
  e->mode = FROM_SOURCE;
  for (uint32_t i = 0; i < at->count && !t.all; i++)
    touch_edge(&t, &e->code->edges[at->first + i]);
  if (t.all)
    emit_line(e, "nut_touch_all(x, pid);");
  else
    emit_line(e,
              "nut_touch_some(x, pid, UINT64_C(0x%llx)%s, "
              "UINT64_C(0x%llx)%s);",
              (unsigned long long)t.uses, text_string(t.used),
              (unsigned long long)t.writes, text_string(t.written));
  emit_done(e, t.used);
  emit_done(e, t.written);
}
