/* Compiles expressions, communications, effects and edges of a model. */

#include "program/code.h"
#include "base/alloc.h"
#include "model/merging.h"

#include <assert.h>

static const node *compile(program *, const process_type *self, const expr *);

/* Appends one dimension to an address under construction. */
static void add_dimension(program *p, address *a, const process_type *self,
                          const expr *index, uint32_t bound, uint32_t stride)
{
  const node *n = compile(p, self, index);
  if (n->op == NODE_CONST && n->value >= 0 && (uint32_t)n->value < bound) {
    a->offset += (uint32_t)n->value * stride;
    return;
  }
  dimension *dims = ARENA_ARRAY(p->model->arena, dimension, a->dimensions + 1);
  for (uint32_t i = 0; i < a->dimensions; i++)
    dims[i] = a->dims[i];
  dims[a->dimensions++] = (dimension){n, bound, stride};
  a->dims = dims;
}

static uint32_t root_offset(const program *p, const var *v)
{
  return v->owner ? p->layout.processes[v->owner->index].locals[v->index]
                  : p->layout.globals[v->index];
}

/* 'index_self' evaluates the indices: for a remote reference they belong to
** the process that looks, not to the one looked at. */
static const address *compile_ref(program *p, const process_type *index_self,
                                  const ref *r, bool remote)
{
  address *a = ARENA_NEW(p->model->arena, address);
  a->base = !r->var->owner ? BASE_STATE : remote ? BASE_REMOTE : BASE_SELF;
  a->hidden = !r->var->owner && (r->var->flags & VAR_HIDDEN);
  a->offset = root_offset(p, r->var);
  a->where = r->where;
  for (;; r = r->field) {
    uint32_t stride = type_bytes(layout_type(&p->layout, r->var));
    if (r->index)
      add_dimension(p, a, index_self, r->index, r->var->length, stride);
    if (!r->field)
      break;
    a->offset += r->field->var->offset;
  }
  a->var = r->var;
  a->keep = layout_keep(&p->layout, r->var);
  return a;
}

/* Chooses the quickest load for an address. */
static void set_load(node *n, const address *a)
{
  bool plain8 = a->keep.kind == KEEP_U8 || a->keep.kind == KEEP_BITS8;
  bool global = a->base == BASE_STATE;
  n->op = NODE_LOAD;
  n->u.address = a;
  if (a->base == BASE_REMOTE || a->dimensions > 1)
    return;
  if (a->dimensions == 1) {
    if (!plain8)
      return;
    n->op = global ? NODE_GX8 : NODE_LX8;
    n->a = a->dims[0].index;
    n->u.x.bound = a->dims[0].bound;
    n->u.x.stride = a->dims[0].stride;
  } else if (plain8) {
    n->op = global ? NODE_G8 : NODE_L8;
  } else if (a->keep.kind == KEEP_S16) {
    n->op = global ? NODE_G16 : NODE_L16;
  } else if (a->keep.kind == KEEP_S32) {
    n->op = global ? NODE_G32 : NODE_L32;
  } else {
    return;
  }
  n->value = (int32_t)a->offset;
}

/* Whether what is assigned there makes no difference.  A value that does not
** fit may be an error; then it does. */
static bool is_unread(const program *p, const ref *target)
{
  return p->options.reset_dead && !p->options.check_overflow &&
         merging_is_unread(p->merging, target->var);
}

static const ccomm *compile_comm(program *p, const process_type *self,
                                 const comm *m)
{
  arena *mem = p->model->arena;
  ccomm *c = ARENA_NEW(mem, ccomm);
  c->kind = (uint8_t)m->kind;
  c->sorted = m->sorted;
  c->anywhere = m->anywhere;
  c->copy = m->copy;
  c->channel = compile(p, self, m->channel);
  c->arg_count = (uint32_t)m->args.len;
  c->args = ARENA_ARRAY(mem, carg, m->args.len + 1);
  c->source = m;
  for (size_t i = 0; i < m->args.len; i++) {
    const comm_arg *a = &m->args.data[i];
    c->args[i].kind = (uint8_t)a->kind;
    if (a->kind == ARG_VALUE)
      c->args[i].value = compile(p, self, a->value);
    if (a->kind == ARG_STORE)
      c->args[i].target = compile_ref(p, self, a->target, false);
    if (a->kind == ARG_STORE && is_unread(p, a->target)) {
      c->args[i].kind = ARG_IGNORE;
      p->merged++;
    }
  }
  return c;
}

static const node **compile_list(program *p, const process_type *self,
                                 expr *const *list, size_t n)
{
  const node **out = ARENA_ARRAY(p->model->arena, const node *, n + 1);
  for (size_t i = 0; i < n; i++)
    out[i] = compile(p, self, list[i]);
  return out;
}

static const crun *compile_run(program *p, const process_type *self,
                               const run *r)
{
  crun *c = ARENA_NEW(p->model->arena, crun);
  c->process = r->process->index;
  c->arg_count = (uint32_t)r->args.len;
  c->args = compile_list(p, self, r->args.data, r->args.len);
  if (r->priority)
    c->priority = compile(p, self, r->priority);
  return c;
}

static const node *compile(program *p, const process_type *self, const expr *e)
{
  node *n = ARENA_NEW(p->model->arena, node);
  const node **args[3] = {&n->a, &n->b, &n->c};
  n->op = (uint8_t)e->op;
  n->value = e->op == OP_AT ? (int32_t)e->location : e->value;
  n->source = e;
  assert(e->op != OP_LAST || p->layout.has_last);
  for (int i = 0; i < 3; i++)
    if (e->args[i])
      *args[i] = compile(p, self, e->args[i]);
  switch (e->op) {
  case OP_VAR:
    set_load(n, compile_ref(p, self, e->ref, false));
    break;
  case OP_REMOTE:
    n->u.address = compile_ref(p, self, e->ref, true);
    n->value = (int32_t)e->process->index;
    break;
  case OP_AT:
    n->u.process = e->process->index;
    break;
  case OP_POLL:
    n->u.comm = compile_comm(p, self, e->poll);
    break;
  case OP_RUN:
    n->u.run = compile_run(p, self, e->run);
    break;
  default:
    break;
  }
  return n;
}

/* The first value of a variable in place of another that nobody reads.  That is
** still evaluated, in a choice between equals, when it may fail. */
static const node *compile_unread(program *p, const process_type *self,
                                  const effect *from)
{
  const var *v = from->target->var;
  node *first = ARENA_NEW(p->model->arena, node);
  first->op = NODE_CONST;
  first->value = v->init.len ? v->init.data[0]->value : 0;
  first->source = from->value;
  p->merged++;
  if (merging_can_forget(from))
    return first;
  node *n = ARENA_NEW(p->model->arena, node);
  n->op = (uint8_t)OP_COND;
  n->source = from->value;
  n->a = compile(p, self, from->value);
  n->b = n->c = first;
  return n;
}

static void compile_effect(program *p, const process_type *self,
                           const effect *from, ceffect *to)
{
  to->kind = (uint8_t)from->kind;
  to->source = from;
  if (from->target)
    to->target = compile_ref(p, self, from->target, false);
  if (from->kind == EFFECT_ASSIGN && is_unread(p, from->target))
    to->value = compile_unread(p, self, from);
  else if (from->value)
    to->value = compile(p, self, from->value);
  to->arg_count = (uint32_t)from->args.len;
  to->args = compile_list(p, self, from->args.data, from->args.len);
}

/* A value that the variable can have: 0 where that is one. */
static expr *resting_value(program *p, const var *v)
{
  expr *zero = ARENA_NEW(p->model->arena, expr);
  zero->op = OP_CONST;
  zero->where = v->where;
  if (v->type.kind == TYPE_RANGE && (v->type.lo > 0 || v->type.hi < 0))
    zero->value = v->type.lo;
  return zero;
}

/* Behind the effects of the edge come those on variables without further use.
 */
static void compile_resets(program *p, const edge *from, cedge *to)
{
  const var *const *dead = p->merging->dead[from->index];
  for (; *dead; dead++) {
    effect *f = ARENA_NEW(p->model->arena, effect);
    f->kind = EFFECT_ASSIGN;
    f->where = from->where;
    f->target = ARENA_NEW(p->model->arena, ref);
    *f->target = (ref){.var = (var *)(uintptr_t)*dead, .where = from->where};
    f->value = resting_value(p, *dead);
    compile_effect(p, from->process, f, &to->effects[to->effect_count++]);
    p->merged++;
  }
}

static void compile_edge(program *p, const edge *from, cedge *to)
{
  const process_type *self = from->process;
  bool resets = p->options.reset_dead && p->merging->dead[from->index];
  size_t room = from->effects.len + (resets ? self->locals.len : 0);
  to->flags = from->flags;
  to->rank = from->rank;
  to->target = from->target;
  to->block = from->block;
  to->index = from->index;
  to->source = from;
  if (from->guard)
    to->guard = compile(p, self, from->guard);
  if (from->comm)
    to->comm = compile_comm(p, self, from->comm);
  to->effect_count = (uint32_t)from->effects.len;
  to->effects = ARENA_ARRAY(p->model->arena, ceffect, room + 1);
  for (size_t i = 0; i < from->effects.len; i++)
    compile_effect(p, self, from->effects.data[i], &to->effects[i]);
  if (resets)
    compile_resets(p, from, to);
  if (p->options.merge && p->merging->merged[from->index]) {
    to->flags |= EDGE_ATOMIC;
    p->merged++;
  }
  if (p->options.merge && p->merging->released[from->index])
    to->flags &= ~(uint32_t)EDGE_ATOMIC;
}

static void compile_init(program *p, const process_type *self, var *v,
                         cinit *to)
{
  ref r = {v, NULL, NULL, v->where};
  to->target = compile_ref(p, self, &r, false);
  to->length = v->length;
  to->stride = type_bytes(layout_type(&p->layout, v));
  to->value_count = (uint32_t)v->init.len;
  to->values = compile_list(p, self, v->init.data, v->init.len);
  to->channel = v->init_channel;
}

/* Fields of records have initial values too; each gets an entry of its own,
** for every element of every array around it. */
static void init_fields(program *p, const process_type *self, const address *at,
                        const record *r, uint32_t offset)
{
  for (size_t i = 0; i < r->fields.len; i++) {
    var *f = r->fields.data[i];
    uint32_t here = offset + f->offset;
    uint32_t stride = type_bytes(&f->type);
    if (f->type.kind == TYPE_RECORD) {
      for (uint32_t k = 0; k < f->length; k++)
        init_fields(p, self, at, f->type.record, here + k * stride);
      continue;
    }
    if (!f->init.len && !f->init_channel)
      continue;
    address *a = ARENA_NEW(p->model->arena, address);
    *a = *at;
    a->offset = here;
    a->keep = keep_of_var(f);
    a->var = f;
    cinit c = {.target = a, .length = f->length, .stride = stride};
    c.value_count = (uint32_t)f->init.len;
    c.values = compile_list(p, self, f->init.data, f->init.len);
    c.channel = f->init_channel;
    vec_push(&p->inits, c);
  }
}

static cinit *compile_all_inits(program *p, const process_type *self,
                                var *const *vars, size_t n, uint32_t *count)
{
  vec_clear(&p->inits);
  for (size_t i = 0; i < n; i++) {
    var *v = vars[i];
    cinit c;
    compile_init(p, self, v, &c);
    if (v->type.kind == TYPE_RECORD) {
      for (uint32_t k = 0; k < v->length; k++)
        init_fields(p, self, c.target, v->type.record,
                    c.target->offset + k * c.stride);
    } else if (c.value_count || c.channel) {
      vec_push(&p->inits, c);
    }
  }
  cinit *out = ARENA_ARRAY(p->model->arena, cinit, p->inits.len + 1);
  for (size_t i = 0; i < p->inits.len; i++)
    out[i] = p->inits.data[i];
  *count = (uint32_t)p->inits.len;
  return out;
}

static void compile_parameters(program *p, const process_type *t, cprocess *c)
{
  c->parameter_count = t->parameters;
  c->parameters = ARENA_ARRAY(p->model->arena, address *, t->parameters + 1);
  for (uint32_t i = 0; i < t->parameters; i++) {
    ref r = {t->locals.data[i], NULL, NULL, t->where};
    c->parameters[i] = (address *)compile_ref(p, t, &r, false);
  }
}

/* The location where an observer has run out of events: its edges, if any,
** only end it. */
static uint32_t end_of(const process_type *t)
{
  for (uint32_t i = (uint32_t)t->locations.len; i-- > 0;) {
    const location *at = &t->locations.data[i];
    bool dies = true;
    for (uint32_t j = 0; j < at->edge_count; j++) {
      const edge *e = t->order.data[at->first_edge + j];
      dies &= e->effects.len == 1 && e->effects.data[0]->kind == EFFECT_DIE;
    }
    if (dies && at->flags & LOC_END)
      return i;
  }
  return UINT32_MAX;
}

static void compile_process(program *p, const process_type *t,
                            uint32_t *next_edge)
{
  code *k = &p->code;
  cprocess *c = &k->processes[t->index];
  c->source = t;
  c->start = t->start;
  c->locations = ARENA_ARRAY(p->model->arena, clocation, t->locations.len + 1);
  for (size_t i = 0; i < t->locations.len; i++) {
    const location *from = &t->locations.data[i];
    c->locations[i] = (clocation){*next_edge, from->edge_count, from->flags};
    for (uint32_t j = 0; j < from->edge_count; j++)
      compile_edge(p, t->order.data[from->first_edge + j],
                   &k->edges[(*next_edge)++]);
    code_find_leads(&p->layout, &k->edges[c->locations[i].first],
                    from->edge_count);
  }
  if (t->provided)
    c->provided = compile(p, t, t->provided);
  compile_parameters(p, t, c);
  c->inits =
      compile_all_inits(p, t, t->locals.data, t->locals.len, &c->init_count);
  c->only_read_count = (uint32_t)t->only_reads.len;
  c->only_reads = compile_list(p, t, t->only_reads.data, t->only_reads.len);
  c->only_send_count = (uint32_t)t->only_sends.len;
  c->only_sends = compile_list(p, t, t->only_sends.data, t->only_sends.len);
  if (c->only_read_count || c->only_send_count)
    k->has_only = true;
  if (t->kind == PROCESS_TRACE || t->kind == PROCESS_NOTRACE) {
    k->trace = t->index;
    k->trace_end = end_of(t);
  }
}

void code_create(program *p)
{
  const model *m = p->model;
  code *k = &p->code;
  uint32_t next_edge = 0;
  k->trace = NO_TRACE;
  if (p->options.merge || p->options.reset_dead)
    p->merging = merging_create(m, p->options.seen, p->options.seen_count);
  k->edges = ARENA_ARRAY(m->arena, cedge, m->edges.len + 1);
  k->processes = ARENA_ARRAY(m->arena, cprocess, m->processes.len + 1);
  k->inits = compile_all_inits(p, NULL, m->globals.data, m->globals.len,
                               &k->init_count);
  for (size_t i = 0; i < m->processes.len; i++)
    compile_process(p, m->processes.data[i], &next_edge);
  p->edge_of = ARENA_ARRAY(m->arena, uint32_t, m->edges.len + 1);
  for (uint32_t i = 0; i < next_edge; i++)
    p->edge_of[k->edges[i].index] = i;
}

const node *code_expression(program *p, const expr *e)
{
  return compile(p, NULL, e);
}
