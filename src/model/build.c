/* Building a model.  Everything lives in the model's arena, except the growing
** vectors inside: each of those hangs off a list that 'model_destroy' walks. */

#include "base/alloc.h"
#include "base/source/shown.h"
#include "model/model.h"
#include "model/plugged.h"

#include <assert.h>
#include <string.h>

model *model_create(arena *a, names *n, sources *s,
                    const model_language *language)
{
  model *m = ARENA_NEW(a, model);
  m->arena = a;
  m->names = n;
  m->sources = s;
  m->language = language;
  return m;
}

static void free_var(var *v)
{
  vec_free(&v->init);
}

static void free_edge(edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    vec_free(&e->effects.data[i]->args);
  vec_free(&e->effects);
}

static void free_process(process_type *p)
{
  for (size_t i = 0; i < p->locals.len; i++)
    free_var(p->locals.data[i]);
  vec_free(&p->locals);
  vec_free(&p->locations);
  for (size_t i = 0; i < p->edges.len; i++)
    free_edge(p->edges.data[i]);
  vec_free(&p->edges);
  vec_free(&p->order);
  vec_free(&p->only_reads);
  vec_free(&p->only_sends);
}

static void free_record(record *r)
{
  for (size_t i = 0; i < r->fields.len; i++)
    free_var(r->fields.data[i]);
  vec_free(&r->fields);
}

/* Communications and runs sit deep inside expressions; the model has lists of
** them so that nobody needs to walk expressions to give memory back. */
static void free_owned(model *m)
{
  vec_free(&m->c_code);
  vec_free(&m->c_memory);
  for (size_t i = 0; i < m->comms.len; i++)
    vec_free(&m->comms.data[i]->args);
  vec_free(&m->comms);
  for (size_t i = 0; i < m->runs.len; i++)
    vec_free(&m->runs.data[i]->args);
  vec_free(&m->runs);
}

model *model_annex(const model *of)
{
  model *m = ARENA_NEW(of->arena, model);
  *m = *of;
  m->annex_of = of;
  memset(&m->comms, 0, sizeof m->comms);
  memset(&m->runs, 0, sizeof m->runs);
  for (size_t i = 0; i < of->comms.len; i++)
    vec_push(&m->comms, of->comms.data[i]);
  for (size_t i = 0; i < of->runs.len; i++)
    vec_push(&m->runs, of->runs.data[i]);
  return m;
}

void model_annex_free(model *m)
{
  if (!m)
    return;
  const model *of = m->annex_of;
  assert(m->globals.len == of->globals.len && m->edges.len == of->edges.len &&
         m->properties.len == of->properties.len);
  for (size_t i = of->comms.len; i < m->comms.len; i++)
    vec_free(&m->comms.data[i]->args);
  vec_free(&m->comms);
  for (size_t i = of->runs.len; i < m->runs.len; i++)
    vec_free(&m->runs.data[i]->args);
  vec_free(&m->runs);
}

void model_destroy(model *m)
{
  if (!m)
    return;
  if (m->plugin)
    m->plugin->close(m->plugin);
  for (size_t i = 0; i < m->globals.len; i++)
    free_var(m->globals.data[i]);
  for (size_t i = 0; i < m->records.len; i++)
    free_record(m->records.data[i]);
  for (size_t i = 0; i < m->channels.len; i++)
    vec_free(&m->channels.data[i]->fields);
  for (size_t i = 0; i < m->processes.len; i++)
    free_process(m->processes.data[i]);
  vec_free(&m->globals);
  vec_free(&m->records);
  vec_free(&m->channels);
  vec_free(&m->processes);
  vec_free(&m->edges);
  vec_free(&m->properties);
  vec_free(&m->mtypes);
  vec_free(&m->initial);
  vec_free(&m->initial_channels);
  free_owned(m);
}

/* ---- variables -------------------------------------------------------- */

static var *new_var(model *m, const char *name, type t, size_t index, span at)
{
  var *v = ARENA_NEW(m->arena, var);
  v->name = name;
  v->type = t;
  v->length = 1;
  v->index = (uint32_t)index;
  v->where = at;
  return v;
}

var *model_add_global(model *m, const char *name, type t, span at)
{
  var *v = new_var(m, name, t, m->globals.len, at);
  vec_push(&m->globals, v);
  return v;
}

var *model_add_local(model *m, process_type *p, const char *name, type t,
                     span at)
{
  var *v = new_var(m, name, t, p->locals.len, at);
  v->owner = p;
  vec_push(&p->locals, v);
  return v;
}

record *model_add_record(model *m, const char *name, span at)
{
  record *r = ARENA_NEW(m->arena, record);
  r->name = name;
  r->where = at;
  vec_push(&m->records, r);
  return r;
}

var *model_add_field(model *m, record *r, const char *name, type t, span at)
{
  var *v = new_var(m, name, t, r->fields.len, at);
  v->is_field = true;
  vec_push(&r->fields, v);
  return v;
}

channel_type *model_add_channel_type(model *m, const char *name,
                                     uint32_t capacity, span at)
{
  channel_type *c = ARENA_NEW(m->arena, channel_type);
  c->name = name;
  c->index = (uint32_t)m->channels.len;
  c->capacity = capacity;
  c->where = at;
  vec_push(&m->channels, c);
  return c;
}

uint32_t model_add_initial_channel(model *m, channel_type *c)
{
  vec_push(&m->initial_channels, c);
  return (uint32_t)m->initial_channels.len;
}

/* ---- processes -------------------------------------------------------- */

process_type *model_add_process(model *m, const char *name, process_kind kind,
                                span at)
{
  process_type *p = ARENA_NEW(m->arena, process_type);
  p->name = name;
  p->kind = kind;
  p->index = (uint32_t)m->processes.len;
  p->priority = 1;
  p->where = at;
  vec_push(&m->processes, p);
  return p;
}

uint32_t model_add_location(model *m, process_type *p, uint32_t flags,
                            int32_t number, span at)
{
  (void)m;
  location l = {.flags = flags, .number = number, .where = at};
  vec_push(&p->locations, l);
  return (uint32_t)(p->locations.len - 1);
}

edge *model_add_edge(model *m, process_type *p, uint32_t source,
                     uint32_t target, span at)
{
  edge *e = ARENA_NEW(m->arena, edge);
  e->index = (uint32_t)m->edges.len;
  e->process = p;
  e->source = source;
  e->target = target;
  e->number = -1;
  e->where = at;
  vec_push(&p->edges, e);
  vec_push(&m->edges, e);
  return e;
}

effect *model_add_effect(model *m, edge *e, effect_kind kind, span at)
{
  effect *f = ARENA_NEW(m->arena, effect);
  f->kind = kind;
  f->where = at;
  vec_push(&e->effects, f);
  return f;
}

property *model_add_property(model *m, property_kind kind, const char *name,
                             span at)
{
  property p = {.kind = kind, .name = shown(m->arena, name), .where = at};
  vec_push(&m->properties, p);
  return &vec_last(&m->properties);
}

/* ---- expressions ------------------------------------------------------ */

uint32_t op_needs(op o)
{
  switch (o) {
  case OP_LAST:
    return MODEL_HAS_LAST;
  case OP_TIMEOUT:
    return MODEL_HAS_TIMEOUT;
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
    return MODEL_HAS_PRIORITY;
  default:
    return 0;
  }
}

expr *expr_new(model *m, op o, expr *a, expr *b, expr *c, span at)
{
  assert(o < OP_COUNT_);
  /* Here no expression can be forgotten, whoever makes it: a process, a
  ** formula, an option. */
  m->flags |= op_needs(o);
  expr *e = ARENA_NEW(m->arena, expr);
  e->op = o;
  e->args[0] = a;
  e->args[1] = b;
  e->args[2] = c;
  e->where = at;
  return e;
}

expr *expr_join(model *m, op o, expr *const *list, size_t count)
{
  if (count <= 1)
    return count ? list[0] : NULL;
  expr *a = expr_join(m, o, list, count / 2);
  expr *b = expr_join(m, o, list + count / 2, count - count / 2);
  return expr_new(m, o, a, b, NULL, a->where);
}

expr *expr_const(model *m, int32_t value, span at)
{
  expr *e = expr_new(m, OP_CONST, NULL, NULL, NULL, at);
  e->value = value;
  return e;
}

expr *expr_var(model *m, ref *r, span at)
{
  expr *e = expr_new(m, OP_VAR, NULL, NULL, NULL, at);
  e->ref = r;
  return e;
}

ref *ref_new(model *m, var *v, expr *index, ref *field, span at)
{
  assert(v);
  ref *r = ARENA_NEW(m->arena, ref);
  r->var = v;
  r->index = index;
  r->field = field;
  r->where = at;
  return r;
}

comm *comm_new(model *m, comm_kind kind, expr *channel, span at)
{
  comm *c = ARENA_NEW(m->arena, comm);
  c->kind = kind;
  c->channel = channel;
  c->where = at;
  vec_push(&m->comms, c);
  return c;
}

run *run_new(model *m, process_type *p)
{
  run *r = ARENA_NEW(m->arena, run);
  r->process = p;
  vec_push(&m->runs, r);
  return r;
}
