/* How the steps of a model fall into groups.
**
** A group is one edge of one process, as the first of a step.  It touches what
** the read and write sets (model/access/access.h) of all edges name that can be
** part of the step: those that follow it in an atomic sequence, and those that
** answer it in a rendezvous.  A step that looks at what any process can do
** touches everything.
**
** In a net, an edge is a shift: each place by itself. */

#include "base/alloc.h"
#include "symbolic/symbolic_internal.h"
#include <stdlib.h>

/* ---- edges of nets ------------------------------------------------------ */

static mdd_shift *shift_of(group *g, uint32_t field_number)
{
  for (size_t i = 0; i < g->shifts.len; i++)
    if (g->shifts.data[i].level == field_number)
      return &g->shifts.data[i];
  mdd_shift new = {field_number, 0, MDD_SHIFT_MOST, 0};
  vec_push(&g->shifts, new);
  return &vec_last(&g->shifts);
}

static mdd_shift *shift_of_var(symbolic_space *s, group *g, const expr *e)
{
  if (e->op != OP_VAR || e->ref->index || e->ref->field)
    return NULL;
  const field *f = field_of_global(s, e->ref->var, 0);
  return f ? shift_of(g, (uint32_t)(f - s->fields.data)) : NULL;
}

/* x, x >= c, x < c, and conjunctions. */
static bool read_guard(symbolic_space *s, group *g, const expr *e)
{
  if (!e)
    return true;
  if (e->op == OP_AND)
    return read_guard(s, g, e->args[0]) && read_guard(s, g, e->args[1]);
  bool compares = e->op == OP_GE || e->op == OP_LT;
  if (compares && (e->args[1]->op != OP_CONST || e->args[1]->value < 1))
    return false;
  mdd_shift *x = shift_of_var(s, g, compares ? e->args[0] : e);
  if (!x)
    return false;
  uint32_t bound = compares ? (uint32_t)e->args[1]->value : 1;
  if (e->op == OP_LT)
    x->most = bound - 1 < x->most ? bound - 1 : x->most;
  else
    x->least = bound > x->least ? bound : x->least;
  return true;
}

/* x = x + c or x = x - c, each variable once. */
static bool read_effect(symbolic_space *s, group *g, const effect *f)
{
  const expr *v = f->value;
  if (f->kind != EFFECT_ASSIGN || (v->op != OP_ADD && v->op != OP_SUB) ||
      v->args[0]->op != OP_VAR || v->args[1]->op != OP_CONST ||
      v->args[0]->ref->var != f->target->var || f->target->index ||
      f->target->field)
    return false;
  mdd_shift *x = shift_of_var(s, g, v->args[0]);
  if (!x || x->change)
    return false;
  x->change = v->op == OP_ADD ? v->args[1]->value : -v->args[1]->value;
  return x->change >= 0 || x->least >= (uint32_t)-x->change;
}

static int by_level(const void *a, const void *b)
{
  const mdd_shift *x = a, *y = b;
  return x->level < y->level ? -1 : x->level > y->level;
}

/* False: the edge is not of this kind. */
static bool read_shift(symbolic_space *s, group *g)
{
  const edge *e = g->edge;
  bool good = !(e->flags & (EDGE_ATOMIC | EDGE_ELSE | EDGE_DSTEP)) &&
              e->source == e->target && !e->comm && read_guard(s, g, e->guard);
  for (size_t i = 0; good && i < e->effects.len; i++)
    good = read_effect(s, g, e->effects.data[i]);
  if (!good || !g->shifts.len) {
    vec_clear(&g->shifts);
    return false;
  }
  for (size_t i = 0; i < g->shifts.len; i++) {
    vec_push(&g->fields, g->shifts.data[i].level);
    vec_push(&g->written, g->shifts.data[i].change != 0);
  }
  return true;
}

/* ---- edges of other models ---------------------------------------------- */

typedef struct gathering {
  symbolic_space *space;
  const entity_list *entities;
  participant_list *members; /* the space's, which outlives a lack of memory */
  bool everything;
} gathering;

static void add_member(gathering *t, uint32_t process, const edge *e)
{
  for (size_t i = 0; i < t->members->len; i++)
    if (t->members->data[i].process == process && t->members->data[i].edge == e)
      return;
  vec_push(t->members, ((participant){process, e}));
}

/* Two constant channels that differ never meet. */
static bool can_meet(const edge *a, const edge *b)
{
  const expr *x = a->comm->channel, *y = b->comm->channel;
  return !(x->op == OP_CONST && y->op == OP_CONST && x->value != y->value);
}

static void add_partners(gathering *t, const participant *from)
{
  const access_sets *a = t->space->access;
  for (size_t i = 0; i < t->entities->len; i++) {
    const entity *e = &t->entities->data[i];
    if (!e->process || e->number == from->process)
      continue;
    for (size_t k = 0; k < e->process->edges.len; k++) {
      const edge *other = e->process->edges.data[k];
      if (a->edges[other->index].flags & ACCESS_MEETS && other->comm &&
          other->comm->kind == COMM_RECEIVE && can_meet(from->edge, other))
        add_member(t, e->number, other);
    }
  }
}

/* The process keeps control and may go on from the target. */
static void add_following(gathering *t, const participant *from)
{
  const process_type *p = from->edge->process;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->source == from->edge->target)
      add_member(t, from->process, p->edges.data[i]);
}

static void gather(gathering *t, uint32_t process, const edge *first)
{
  const uint32_t asks = ACCESS_ASKS | ACCESS_ASKS_LATER | ACCESS_CREATES;
  add_member(t, process, first);
  for (size_t i = 0; i < t->members->len && !t->everything; i++) {
    participant m = t->members->data[i];
    uint32_t flags = t->space->access->edges[m.edge->index].flags;
    t->everything = flags & asks;
    if (flags & ACCESS_MEETS && m.edge->comm &&
        m.edge->comm->kind != COMM_RECEIVE)
      add_partners(t, &m);
    if (m.edge->flags & EDGE_ATOMIC)
      add_following(t, &m);
  }
}

/* All that can be part of a step that a process begins by an edge. */
static void gather_all(gathering *t, symbolic_space *s,
                       const entity_list *entities, uint32_t process,
                       const edge *first)
{
  *t = (gathering){.space = s, .entities = entities, .members = &s->members};
  vec_clear(&s->members);
  gather(t, process, first);
}

static void touch_fields(gathering *t, group *g)
{
  const symbolic_space *s = t->space;
  for (uint32_t i = 0; i < s->fields.len; i++) {
    const field *f = &s->fields.data[i];
    bool touched = t->everything || f->kind == FIELD_LENGTH;
    bool written = t->everything;
    for (size_t k = 0; k < t->members->len && !written; k++) {
      const participant *m = &t->members->data[k];
      const edge_access *x = &s->access->edges[m->edge->index];
      written =
          field_in(s, f, m->process, x->writes) ||
          (f->kind == FIELD_LOCATION && f->process == (int32_t)m->process);
      touched = touched || written || field_in(s, f, m->process, x->tests) ||
                field_in(s, f, m->process, x->reads);
    }
    if (!touched)
      continue;
    vec_push(&g->fields, i);
    vec_push(&g->written, written);
  }
}

static void add_group(symbolic_space *s, const entity_list *entities,
                      const entity *who, const edge *e)
{
  vec_push(&s->groups,
           ((group){.edge = e, .process = who->number, .partner = NOBODY}));
  group *g = &vec_last(&s->groups);
  if (s->options.net && read_shift(s, g))
    return;
  gathering t;
  gather_all(&t, s, entities, who->number, e);
  touch_fields(&t, g);
}

static void add_whole_group(symbolic_space *s)
{
  vec_push(&s->groups, (group){.partner = NOBODY});
  group *g = &vec_last(&s->groups);
  for (uint32_t i = 0; i < s->fields.len; i++) {
    vec_push(&g->fields, i);
    vec_push(&g->written, true);
  }
}

void groups_make(symbolic_space *s)
{
  if (s->fields.data[0].kind == FIELD_STATE ||
      s->model->flags & MODEL_SYNCHRONOUS) {
    add_whole_group(s);
    return;
  }
  const entity_list *list = &s->entities;
  for (size_t i = 0; i < list->len; i++) {
    const process_type *p = list->data[i].process;
    for (size_t k = 0; p && k < p->edges.len; k++)
      if (!(p->locations.data[p->edges.data[k]->source].flags & LOC_DSTEP))
        add_group(s, list, &list->data[i], p->edges.data[k]);
  }
}

void groups_free(symbolic_space *s)
{
  for (size_t i = 0; i < s->groups.len; i++) {
    group *g = &s->groups.data[i];
    vec_free(&g->fields);
    vec_free(&g->written);
    vec_free(&g->shifts);
    vec_free(&g->outcomes);
  }
  vec_free(&s->groups);
}

/* ---- events ------------------------------------------------------------- */

/* From fields to levels, in the order of the levels. */
static void arrange(symbolic_space *s, group *g, mdd_touch *touch)
{
  memset(touch, 0, s->fields.len * sizeof *touch);
  for (size_t i = 0; i < g->fields.len; i++)
    touch[s->fields.data[g->fields.data[i]].level] =
        g->written.data[i] ? MDD_READ_WRITE : MDD_READ;
  size_t n = 0;
  for (uint32_t level = 0; level < s->fields.len; level++)
    if (touch[level] != MDD_SKIP) {
      g->fields.data[n] = s->order.data[level];
      g->written.data[n++] = touch[level] == MDD_READ_WRITE;
    }
  for (size_t i = 0; i < g->shifts.len; i++)
    g->shifts.data[i].level = s->fields.data[g->shifts.data[i].level].level;
  if (g->shifts.len)
    qsort(g->shifts.data, g->shifts.len, sizeof *g->shifts.data, by_level);
}

/* Notes where the edge of a group starts from.  Only where a level takes any
** number: bits have room for those that turned up in states alone. */
static void find_source(symbolic_space *s, group *g)
{
  g->place = NO_FIELD;
  bool free = s->options.asked.base == NUT_BASE_MDD;
  for (uint32_t i = 0; free && g->edge && i < g->fields.len; i++) {
    field *f = &s->fields.data[g->fields.data[i]];
    if (f->kind != FIELD_LOCATION || f->process != (int32_t)g->process)
      continue;
    vec_resize(&s->state, s->sample_length);
    for (uint32_t k = 0; k < f->bytes; k++)
      s->state.data[f->offset + k] = (uint8_t)(g->edge->source >> 8 * k);
    g->place = i;
    g->source = field_read(f, s->state.data, s->sample_length);
  }
}

bool group_guard(void *space, uint32_t event, uint32_t *place, uint32_t *value)
{
  const group *g = &((symbolic_space *)space)->groups.data[event];
  *place = g->place;
  *value = g->source;
  return g->place != NO_FIELD;
}

bool groups_enter(symbolic_space *s)
{
  mdd_touch *touch = ARENA_ARRAY(s->arena, mdd_touch, s->fields.len);
  s->step_groups = s->groups.len;
  for (size_t i = 0; i < s->groups.len; i++) {
    group *g = &s->groups.data[i];
    arrange(s, g, touch);
    find_source(s, g);
    bool good = g->shifts.len ? library_add_shift(s->library, g->shifts.data,
                                                  (uint32_t)g->shifts.len)
                              : library_add_relation(s->library, touch);
    if (!good)
      return false;
  }
  return true;
}

/* ---- who takes part ------------------------------------------------------ */

static bool meets_somebody(const symbolic_space *s)
{
  for (size_t i = 0; i < s->model->edges.len; i++)
    if (s->access->edges[i].flags & ACCESS_MEETS)
      return true;
  return false;
}

/* Whether a process may take part in what was gathered.  Of steps that look at
** what others can do not all was. */
static bool may_take_part(const gathering *t, uint32_t process)
{
  for (size_t i = 0; i < t->members->len; i++)
    if (t->members->data[i].process == process)
      return true;
  return t->everything;
}

/* The steps of a group in which a process takes part, as a group. */
static bool add_partner(symbolic_space *s, size_t of, uint32_t partner,
                        mdd_touch *touch)
{
  vec_push(&s->groups, (group){.partner = partner});
  group *g = &vec_last(&s->groups);
  const group *from = &s->groups.data[of];
  g->edge = from->edge;
  g->process = from->process;
  for (size_t i = 0; i < from->fields.len; i++) {
    vec_push(&g->fields, from->fields.data[i]);
    vec_push(&g->written, from->written.data[i]);
  }
  arrange(s, g, touch);
  find_source(s, g);
  uint32_t event = (uint32_t)s->groups.len - 1;
  return library_add_relation(s->library, touch) &&
         set_image(s->library, event, s->reachable) != SET_FULL;
}

bool groups_add_partners(symbolic_space *s)
{
  if (s->lacks_partners || s->has_partners || !meets_somebody(s))
    return !s->lacks_partners;
  s->lacks_partners = true;
  mdd_touch *touch = ARENA_ARRAY(s->arena, mdd_touch, s->fields.len);
  for (size_t i = 0; i < s->step_groups; i++) {
    gathering t;
    uint32_t first = s->groups.data[i].process;
    gather_all(&t, s, &s->entities, first, s->groups.data[i].edge);
    for (size_t k = 0; k < s->entities.len; k++) {
      const entity *e = &s->entities.data[k];
      if (e->process && e->number != first && may_take_part(&t, e->number) &&
          !add_partner(s, i, e->number, touch))
        return false;
    }
  }
  s->lacks_partners = false;
  return s->has_partners = true;
}
