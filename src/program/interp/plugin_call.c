/* Steps of plug-ins (model/plugged.h).  The answers of a group are kept for the
** state they are about: the edge that asks whether there is a step is followed
** by the one that makes it, and by those of the group's other steps. */

#include "model/plugged.h"
#include "program/interp/worker.h"

/* A step of a group: its changes are a slice of 'changes'. */
typedef struct answer {
  size_t first, count;
  bool fails;     /* it is a failed assertion */
  bool forbidden; /* it changes what the group does not write */
} answer;

typedef struct answers {
  bool known;
  size_t first, count; /* in 'list' */
} answers;

/* Where a part is in a state. */
typedef struct place {
  keep keep;
  uint32_t offset;
} place;

struct plugin_calls {
  nut_steps steps; /* first: it is what the plug-in sees of us */
  const plugin *plugin;
  place *places;
  uint8_t *bytes; /* the globals of the state that everything is about */
  uint32_t length;
  bool filled;
  int32_t *state; /* the same as parts */
  int32_t *other; /* what a doubtful group is asked about as well */
  answers *groups;
  uint32_t group; /* the one that is being asked */
  VEC(answer) list;
  VEC(nut_part) changes;
  arena *arena;
};

static void begin_answer(plugin_calls *c)
{
  vec_push(&c->list, ((answer){.first = c->changes.len}));
}

static void change(plugin_calls *c, uint32_t part, int32_t value)
{
  answer *a = &vec_last(&c->list);
  const uint8_t *may = c->plugin->may_write[c->group];
  if (part >= c->plugin->parts) {
    a->forbidden = true;
    return;
  }
  if (value == c->state[part])
    return;
  a->forbidden |= may && !may[part];
  vec_push(&c->changes, ((nut_part){part, value}));
  a->count++;
}

static void add_step(nut_steps *s, const nut_part *changed, size_t count)
{
  plugin_calls *c = (plugin_calls *)s;
  begin_answer(c);
  for (size_t i = 0; i < count; i++)
    change(c, changed[i].part, changed[i].value);
}

static void add_state(nut_steps *s, const int32_t *state)
{
  plugin_calls *c = (plugin_calls *)s;
  begin_answer(c);
  for (uint32_t i = 0; i < c->plugin->parts; i++)
    change(c, i, state[i]);
}

static void add_failure(nut_steps *s)
{
  plugin_calls *c = (plugin_calls *)s;
  begin_answer(c);
  vec_last(&c->list).fails = true;
}

static plugin_calls *create(worker *m)
{
  const plugin *p = m->program->model->plugin;
  plugin_calls *c = m->plugged = mem_alloc(sizeof *c);
  c->steps = (nut_steps){add_step, add_state, add_failure};
  c->plugin = p;
  c->length = m->layout->globals_end;
  c->arena = arena_create();
  c->bytes = ARENA_ARRAY(c->arena, uint8_t, c->length + 1);
  c->state = ARENA_ARRAY(c->arena, int32_t, p->parts + 1);
  c->other = ARENA_ARRAY(c->arena, int32_t, p->parts + 1);
  c->places = ARENA_ARRAY(c->arena, place, p->parts + 1);
  c->groups = ARENA_ARRAY(c->arena, answers, p->code->group_count);
  for (uint32_t i = 0; i < p->parts; i++) {
    const var *v = p->part[i].var;
    uint32_t stride = type_bytes(layout_type(m->layout, v));
    c->places[i] =
        (place){layout_keep(m->layout, v),
                m->layout->globals[v->index] + p->part[i].element * stride};
  }
  return c;
}

void plugin_calls_destroy(plugin_calls *c)
{
  if (!c)
    return;
  vec_free(&c->list);
  vec_free(&c->changes);
  arena_destroy(c->arena);
  mem_free(c, sizeof *c);
}

/* Makes the worker's state the one that answers are about. */
static plugin_calls *look(worker *m)
{
  plugin_calls *c = m->plugged ? m->plugged : create(m);
  if (c->filled && !memcmp(c->bytes, m->state, c->length))
    return c;
  memcpy(c->bytes, m->state, c->length);
  for (uint32_t i = 0; i < c->plugin->parts; i++)
    c->state[i] = keep_read(c->places[i].keep, m->state + c->places[i].offset);
  for (size_t i = 0; i < c->plugin->code->group_count; i++)
    c->groups[i].known = false;
  vec_clear(&c->list);
  vec_clear(&c->changes);
  c->filled = true;
  return c;
}

/* ---- does it read what it does not declare? ----------------------------- */

/* The same state, but for what the group does not read. */
static void alter(plugin_calls *c, const nut_group *g)
{
  for (uint32_t i = 0; i < c->plugin->parts; i++) {
    const plugin_part *p = &c->plugin->part[i];
    c->other[i] = c->state[i] == p->hi ? p->lo : c->state[i] + 1;
  }
  for (size_t i = 0; i < g->read_count; i++)
    c->other[g->reads[i]] = c->state[g->reads[i]];
}

/* What a part is after a step of the state 's'. */
static int32_t after(const plugin_calls *c, const answer *a, const int32_t *s,
                     uint32_t part)
{
  int32_t value = s[part];
  for (size_t i = 0; i < a->count; i++)
    if (c->changes.data[a->first + i].part == part)
      value = c->changes.data[a->first + i].value;
  return value;
}

/* Whether two steps, of both states, do the same: each part becomes the same, or
** stays as it was. */
static bool agree(const plugin_calls *c, const answer *one, const answer *two)
{
  bool same = one->fails == two->fails;
  for (uint32_t i = 0; same && i < c->plugin->parts; i++) {
    int32_t x = after(c, one, c->state, i), y = after(c, two, c->other, i);
    same = x == y || (x == c->state[i] && y == c->other[i]);
  }
  return same;
}

/* Asks about an altered state as well.  When the answers differ, all steps of
** the group are at fault. */
static void doubt(plugin_calls *c, answers *a, uint32_t group)
{
  const nut_group *g = &c->plugin->code->groups[group];
  if (!g->sets)
    return;
  alter(c, g);
  int32_t *kept = c->state;
  c->state = c->other;
  c->plugin->code->steps(c->plugin->code, group, c->state, &c->steps);
  c->state = kept;
  size_t others = c->list.len - a->first - a->count;
  bool same = others == a->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = agree(c, &c->list.data[a->first + i],
                 &c->list.data[a->first + a->count + i]);
  if (!same && !a->count) { /* so that there is a step to complain about */
    a->count = 1;
    c->list.data[a->first].count = 0;
  }
  for (size_t i = 0; !same && i < a->count; i++)
    c->list.data[a->first + i].forbidden = true;
  c->list.len = a->first + a->count;
}

static const answers *ask(worker *m, uint32_t group)
{
  plugin_calls *c = look(m);
  answers *a = &c->groups[group];
  if (a->known)
    return a;
  a->first = c->list.len;
  c->group = group;
  c->plugin->code->steps(c->plugin->code, group, c->state, &c->steps);
  a->count = c->list.len - a->first;
  if (m->program->doubts_plugin)
    doubt(c, a, group);
  a->known = true;
  return a;
}

bool plugin_has_step(worker *m, const cedge *e)
{
  return ask(m, e->source->plugged->group)->count > e->source->plugged->number;
}

/* The last edge of a group finds those for which there is no edge. */
static bool has_too_many(worker *m, const cedge *e, const answers *a)
{
  const plugged_step *s = e->source->plugged;
  uint32_t most = m->program->model->plugin->code->groups[s->group].steps;
  return s->number + 1 == (most ? most : 1) && a->count > s->number + 1;
}

void plugin_make_step(worker *m, const cedge *e)
{
  const plugged_step *s = e->source->plugged;
  const answers *all = ask(m, s->group);
  plugin_calls *c = m->plugged;
  const answer *a = &c->list.data[all->first + s->number];
  if (a->fails)
    raise_fault(m, FAULT_ASSERT, e->source->where);
  if (a->forbidden || has_too_many(m, e, all))
    raise_fault(m, FAULT_PLUGIN, e->source->where);
  for (size_t i = 0; i < a->count; i++) {
    const nut_part *p = &c->changes.data[a->first + i];
    const plugin_part *part = &c->plugin->part[p->part];
    const place *at = &c->places[p->part];
    if (p->value < part->lo || p->value > part->hi) {
      raise_fault(m, FAULT_OVERFLOW, e->source->where);
      continue;
    }
    keep_write(at->keep, m->state + at->offset, p->value);
    m->changed |= layout_slices_of(m->layout, at->offset, keep_bytes(at->keep));
  }
}
