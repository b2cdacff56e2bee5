/* A net from a model whose variables have few values.  Every value that a
** variable can have is a place, and so is every location of a process; a step
** becomes one transition for every combination of the values that it looks at
** or changes.
**
** Which values those are is found by making the step: where it asks for a
** variable whose value is not chosen yet, it is begun again, once with each
** value.  So a step that does not look at a variable is not multiplied by it,
** and an index may be anything.  A variable has the value it begins with, and
** those that steps have given it; all is done again until none is new. */

#include "convert/write_pnml.h"

enum {
  SLOTS_MAX = 20000,
  VALUES_MAX = 256,
  TRANSITIONS_MAX = 20000,
  TRIES_MAX = 2000000
};

#define NO_SLOT UINT32_MAX

/* One variable, or one element of an array, or the location of a process. */
typedef struct slot {
  VEC(int32_t)
  values; /* that it can have, as far as is known; first the
          ** initial one */
  const char *name;
  const var *var; /* NULL: a location */
  bool used;
} slot;

typedef struct choice {
  uint32_t slot;
  int32_t before, now;
} choice;

typedef struct transition {
  const flat_step *step;
  size_t first, count; /* choices */
} transition;

typedef struct unfolding {
  flat f;
  const var_ranges *seen;
  VEC(slot) slots;
  uint32_t *globals, **locals; /* first slots */
  uint32_t *locations;
  VEC(choice) chosen; /* for the step at hand */
  uint32_t wanted;    /* a slot that must be chosen first, or NO_SLOT */
  bool fault;
  bool grown; /* a variable got a new value */
  uint32_t tries;
  VEC(int32_t) values; /* of a message, or of effects done at once */
  VEC(choice) kept;
  VEC(transition) transitions;
} unfolding;

static bool refuse(unfolding *u, const char *reason)
{
  if (!u->f.why->len)
    text_add(u->f.why, reason);
  u->fault = true;
  return false;
}

static bool stopped(const unfolding *u)
{
  return u->fault || u->wanted != NO_SLOT;
}

/* ---- slots ------------------------------------------------------------- */

static uint32_t add_slot(unfolding *u, int32_t first, const char *name,
                         const var *v)
{
  slot s = {.name = name, .var = v};
  vec_push(&s.values, first);
  vec_push(&u->slots, s);
  return (uint32_t)u->slots.len - 1;
}

/* What is left of a value in a variable.  Elements of arrays of bits have
** whole bytes. */
static int32_t kept_value(const var *v, int32_t value)
{
  const type *t = &v->type;
  bool packed =
      t->kind == TYPE_BIT || t->kind == TYPE_BOOL || t->kind == TYPE_UNSIGNED;
  if (!packed || !(v->flags & VAR_ARRAY))
    return type_truncate(t, value);
  uint32_t bytes = type_bytes(t);
  return bytes == 1   ? value & UINT8_MAX
         : bytes == 2 ? value & UINT16_MAX
                      : value;
}

/* All scalars of a variable, elements and fields in order. */
static void add_var(unfolding *u, const var *v, const char *prefix)
{
  arena *a = u->f.arena;
  const type *t = &v->type;
  for (uint32_t i = 0; i < v->length && u->slots.len < SLOTS_MAX; i++) {
    const char *name = v->flags & VAR_ARRAY
                           ? arena_printf(a, "%s%s[%u]", prefix, v->name, i)
                           : arena_printf(a, "%s%s", prefix, v->name);
    if (t->kind == TYPE_RECORD) {
      for (size_t k = 0; k < t->record->fields.len; k++)
        add_var(u, t->record->fields.data[k], arena_printf(a, "%s.", name));
      continue;
    }
    int32_t first = t->kind == TYPE_RANGE ? t->lo : 0;
    if (v->init.len) {
      const expr *e = v->init.data[v->init.len > 1 ? i : 0];
      if (e->op != OP_CONST)
        refuse(u, "an initial value is not a constant");
      first = kept_value(v, e->value);
    }
    add_slot(u, first, name, v);
  }
}

static void add_slots(unfolding *u)
{
  const model *m = u->f.m;
  arena *a = u->f.arena;
  u->globals = ARENA_ARRAY(a, uint32_t, m->globals.len + 1);
  u->locals = ARENA_ARRAY(a, uint32_t *, m->initial.len + 1);
  u->locations = ARENA_ARRAY(a, uint32_t, m->initial.len + 1);
  for (size_t i = 0; i < m->globals.len; i++) {
    u->globals[i] = (uint32_t)u->slots.len;
    add_var(u, m->globals.data[i], "");
  }
  for (uint32_t who = 0; who < m->initial.len; who++) {
    const process_type *p = flat_type(&u->f, who);
    u->locations[who] = add_slot(u, (int32_t)p->start, p->name, NULL);
    u->locals[who] = ARENA_ARRAY(a, uint32_t, p->locals.len + 1);
    for (size_t i = 0; i < p->locals.len; i++) {
      u->locals[who][i] = (uint32_t)u->slots.len;
      add_var(u, p->locals.data[i], arena_printf(a, "%s.", p->name));
    }
  }
  if (u->slots.len >= SLOTS_MAX)
    refuse(u, "there are too many variables");
}

/* ---- values ------------------------------------------------------------ */

static choice *find_choice(unfolding *u, uint32_t which)
{
  for (size_t i = 0; i < u->chosen.len; i++)
    if (u->chosen.data[i].slot == which)
      return &u->chosen.data[i];
  u->wanted = which;
  return NULL;
}

static int32_t get(unfolding *u, uint32_t which)
{
  const choice *c = stopped(u) ? NULL : find_choice(u, which);
  return c ? c->now : 0;
}

static void put(unfolding *u, uint32_t which, int32_t value)
{
  choice *c = stopped(u) ? NULL : find_choice(u, which);
  if (c)
    c->now = value;
}

static int32_t eval(unfolding *u, uint32_t who, const expr *e);

static uint32_t scalars_of(const var *v)
{
  uint32_t n = 1;
  if (v->type.kind == TYPE_RECORD) {
    n = 0;
    for (size_t i = 0; i < v->type.record->fields.len; i++) {
      const var *f = v->type.record->fields.data[i];
      n += f->length * scalars_of(f);
    }
  }
  return n;
}

/* The slot that a reference leads to; a wrong index is a fault. */
static uint32_t slot_of(unfolding *u, uint32_t who, const ref *r)
{
  uint32_t at =
      r->var->owner ? u->locals[who][r->var->index] : u->globals[r->var->index];
  for (; r; r = r->field) {
    int32_t index = r->index ? eval(u, who, r->index) : 0;
    if (index < 0 || (uint32_t)index >= r->var->length)
      u->fault = true;
    if (stopped(u))
      return 0;
    at += (uint32_t)index * scalars_of(r->var);
    for (size_t i = 0; r->field && i < r->field->var->index; i++) {
      const var *f = r->var->type.record->fields.data[i];
      at += f->length * scalars_of(f);
    }
  }
  return at;
}

static int32_t eval_foreign(unfolding *u, uint32_t who, const expr *e)
{
  uint32_t other = flat_looked_at(&u->f, who, e);
  if (other == UINT32_MAX) {
    u->fault = true;
    return 0;
  }
  if (e->op == OP_AT)
    return get(u, u->locations[other]) == (int32_t)e->location;
  uint32_t at = slot_of(u, other, e->ref);
  return get(u, at);
}

/* Operators that need not look at all of their operands. */
static int32_t eval_lazily(unfolding *u, uint32_t who, const expr *e)
{
  int32_t a = eval(u, who, e->args[0]);
  if (stopped(u))
    return 0;
  switch (e->op) {
  case OP_AND:
    return a && eval(u, who, e->args[1]);
  case OP_OR:
    return a || eval(u, who, e->args[1]);
  case OP_IMPLY:
    return !a || eval(u, who, e->args[1]);
  default:
    return eval(u, who, e->args[a ? 1 : 2]);
  }
}

static int32_t eval_operator(unfolding *u, uint32_t who, const expr *e)
{
  int32_t value = 0, b = 0, a = e->args[0] ? eval(u, who, e->args[0]) : 0;
  if (e->args[1])
    b = eval(u, who, e->args[1]);
  if (stopped(u))
    return 0;
  if (op_apply(e->op, a, b, &value))
    return value;
  if (e->op == OP_DIV || e->op == OP_MOD)
    u->fault = true;
  else
    refuse(u, "an expression asks for more than variables");
  return 0;
}

static int32_t eval(unfolding *u, uint32_t who, const expr *e)
{
  uint32_t at;
  if (stopped(u))
    return 0;
  switch (e->op) {
  case OP_CONST:
    return e->value;
  case OP_VAR:
    at = slot_of(u, who, e->ref);
    return get(u, at);
  case OP_AT:
  case OP_REMOTE:
    return eval_foreign(u, who, e);
  case OP_PID:
    return (int32_t)who;
  case OP_NR_PR:
    return (int32_t)u->f.m->initial.len;
  case OP_AND:
  case OP_OR:
  case OP_IMPLY:
  case OP_COND:
    return eval_lazily(u, who, e);
  default:
    return eval_operator(u, who, e);
  }
}

static void assign(unfolding *u, uint32_t who, const ref *r, int32_t value)
{
  const ref *last = r;
  while (last->field)
    last = last->field;
  const type *t = &last->var->type;
  uint32_t at = slot_of(u, who, r);
  if (t->kind == TYPE_RANGE && (value < t->lo || value > t->hi))
    u->fault = true;
  if (!stopped(u))
    put(u, at, kept_value(last->var, value));
}

/* ---- one step ---------------------------------------------------------- */

/* Whether a process is at the edge's place, its guard is true, and it takes
** what the sender gives. */
static bool is_ready(unfolding *u, const flat_part *p, const flat_part *sender)
{
  if (get(u, u->locations[p->who]) != (int32_t)p->edge->source || stopped(u))
    return false;
  if (p->edge->guard && !eval(u, p->who, p->edge->guard))
    return false;
  const comm *c = p->edge->comm;
  for (size_t i = 0; sender && i < c->args.len; i++)
    if (c->args.data[i].kind == ARG_VALUE && i < sender->edge->comm->args.len &&
        eval(u, p->who, c->args.data[i].value) !=
            eval(u, sender->who, sender->edge->comm->args.data[i].value))
      return false;
  return !stopped(u);
}

static bool is_absent(unfolding *u, uint32_t who, const flat_part *sender)
{
  const process_type *p = flat_type(&u->f, who);
  for (size_t i = 0; i < p->edges.len && !stopped(u); i++) {
    flat_part joins = {who, p->edges.data[i]};
    if (flat_can_answer(sender->edge, joins.edge) &&
        is_ready(u, &joins, sender))
      return false;
  }
  return !stopped(u);
}

/* While a process is at a committed location, only such ones move. */
static bool may_move(unfolding *u, const flat_step *s)
{
  bool committed = true;
  for (uint32_t k = 0; k < s->count; k++) {
    const flat_part *p = &u->f.parts.data[s->first + k];
    committed &=
        (flat_type(&u->f, p->who)->locations.data[p->edge->source].flags &
         LOC_COMMITTED) != 0;
  }
  for (uint32_t who = 0; who < u->f.m->initial.len && !committed; who++) {
    const process_type *p = flat_type(&u->f, who);
    for (uint32_t i = 0; i < p->locations.len && !stopped(u); i++)
      if ((p->locations.data[i].flags & LOC_COMMITTED) &&
          get(u, u->locations[who]) == (int32_t)i)
        return false;
  }
  return !stopped(u);
}

static bool can_be_made(unfolding *u, const flat_step *s)
{
  const flat_part *sender = &u->f.parts.data[s->first];
  for (uint32_t k = 0; k < s->count; k++)
    if (!is_ready(u, &sender[k], k ? sender : NULL))
      return false;
  for (uint32_t k = 0; k < s->absent_count; k++)
    if (!is_absent(u, u->f.absent.data[s->absent + k], sender))
      return false;
  return may_move(u, s);
}

static void pass_message(unfolding *u, const flat_step *s)
{
  const flat_part *sender = &u->f.parts.data[s->first];
  const comm *c = sender->edge->comm;
  size_t count = c->args.len;
  vec_resize(&u->values, count + 1);
  int32_t *values = u->values.data;
  for (size_t i = 0; i < count; i++) {
    values[i] = eval(u, sender->who, c->args.data[i].value);
    if (c->kind == COMM_MULTICAST)
      continue;
    const type *t = &flat_channel(&u->f, c)->fields.data[i];
    if (t->kind == TYPE_RANGE && (values[i] < t->lo || values[i] > t->hi))
      u->fault = true;
    values[i] = type_truncate(t, values[i]);
  }
  for (uint32_t k = 1; k < s->count; k++) {
    const comm *r = sender[k].edge->comm;
    for (size_t i = 0; i < r->args.len && i < count && !stopped(u); i++)
      if (r->args.data[i].kind == ARG_STORE)
        assign(u, sender[k].who, r->args.data[i].target, values[i]);
  }
}

static void do_effects(unfolding *u, const flat_part *p)
{
  const edge *e = p->edge;
  size_t count = e->effects.len;
  bool at_once = e->flags & EDGE_PARALLEL;
  vec_resize(&u->values, count + 1);
  int32_t *values = u->values.data;
  for (size_t i = 0; i < count && at_once; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSIGN)
      values[i] = eval(u, p->who, e->effects.data[i]->value);
  for (size_t i = 0; i < count && !stopped(u); i++) {
    const effect *f = e->effects.data[i];
    if (f->kind == EFFECT_ASSIGN)
      assign(u, p->who, f->target,
             at_once ? values[i] : eval(u, p->who, f->value));
    else if (f->kind != EFFECT_ASSERT && f->kind != EFFECT_PRINT &&
             f->kind != EFFECT_PRINTM) /* those change nothing */
      refuse(u, "a step does more than assign to variables");
  }
}

/* A step to a state with a value that no state has cannot be made in any. */
static bool leads_nowhere(const unfolding *u)
{
  for (size_t i = 0; i < u->chosen.len; i++) {
    const choice *c = &u->chosen.data[i];
    const var *v = u->slots.data[c->slot].var;
    const var_range *r = v ? var_ranges_find(u->seen, v) : NULL;
    if (r && r->least <= r->most && (c->now < r->least || c->now > r->most))
      return true;
  }
  return false;
}

/* Makes the step with the values chosen so far; false when it cannot be made,
** is a fault, or asks for more. */
static bool make_step(unfolding *u, const flat_step *s)
{
  const flat_part *parts = &u->f.parts.data[s->first];
  u->wanted = NO_SLOT;
  u->fault = false;
  for (size_t i = 0; i < u->chosen.len; i++)
    u->chosen.data[i].now = u->chosen.data[i].before;
  if (!can_be_made(u, s))
    return false;
  if (s->count > 1 || s->absent_count)
    pass_message(u, s);
  for (uint32_t k = 0; k < s->count; k++)
    do_effects(u, &parts[k]);
  for (uint32_t k = 0; k < s->count; k++)
    put(u, u->locations[parts[k].who], (int32_t)parts[k].edge->target);
  return !stopped(u) && !leads_nowhere(u);
}

/* ---- all steps --------------------------------------------------------- */

static bool has_value(const slot *s, int32_t value)
{
  for (size_t i = 0; i < s->values.len; i++)
    if (s->values.data[i] == value)
      return true;
  return false;
}

static bool keep_choice(unfolding *u, const choice *c)
{
  slot *s = &u->slots.data[c->slot];
  s->used = true;
  vec_push(&u->kept, *c);
  if (has_value(s, c->now))
    return true;
  vec_push(&s->values, c->now);
  u->grown = true;
  return s->values.len <= VALUES_MAX ||
         refuse(u, "a variable has more than 256 values");
}

static bool keep_transition(unfolding *u, const flat_step *s)
{
  transition t = {s, u->kept.len, u->chosen.len};
  for (size_t i = 0; i < u->chosen.len; i++)
    if (!keep_choice(u, &u->chosen.data[i]))
      return false;
  vec_push(&u->transitions, t);
  return u->transitions.len <= TRANSITIONS_MAX ||
         refuse(u, "the net would have too many transitions");
}

static bool unfold(unfolding *u, const flat_step *s)
{
  if (++u->tries > TRIES_MAX)
    return refuse(u, "the net would have too many transitions");
  if (make_step(u, s))
    return keep_transition(u, s);
  if (u->f.why->len)
    return false;
  if (u->wanted == NO_SLOT)
    return true;
  uint32_t which = u->wanted;
  bool fine = true;
  for (size_t i = 0; i < u->slots.data[which].values.len && fine; i++) {
    int32_t v = u->slots.data[which].values.data[i];
    choice c = {which, v, v};
    vec_push(&u->chosen, c);
    fine = unfold(u, s);
    (void)vec_pop(&u->chosen);
  }
  return fine;
}

/* Those who take part are where their edges begin. */
static bool unfold_step(unfolding *u, const flat_step *s)
{
  vec_clear(&u->chosen);
  for (uint32_t k = 0; k < s->count; k++) {
    const flat_part *p = &u->f.parts.data[s->first + k];
    int32_t at = (int32_t)p->edge->source;
    const comm *c = p->edge->comm;
    choice here = {u->locations[p->who], at, at};
    if (c && (c->kind == COMM_SEND || c->kind == COMM_RECEIVE) &&
        flat_channel(&u->f, c)->capacity)
      return refuse(u, "channels have a buffer");
    if (!has_value(&u->slots.data[here.slot], at))
      return true; /* nobody was there yet */
    vec_push(&u->chosen, here);
  }
  return unfold(u, s);
}

static bool unfold_all(unfolding *u)
{
  bool fine = true;
  do {
    u->grown = false;
    vec_clear(&u->kept);
    vec_clear(&u->transitions);
    for (size_t i = 0; i < u->f.steps.len && fine; i++)
      fine = unfold_step(u, &u->f.steps.data[i]);
  } while (fine && u->grown);
  return fine;
}

/* ---- writing ----------------------------------------------------------- */

static const char *place_id(unfolding *u, uint32_t which, int32_t value)
{
  const slot *s = &u->slots.data[which];
  uint32_t at = 0;
  while (s->values.data[at] != value)
    at++;
  return arena_printf(u->f.arena, "s%u_%u", which, at);
}

/* What never changes needs no places. */
static bool has_places(const slot *s)
{
  return s->used && s->values.len > 1;
}

static void write_places(unfolding *u, text *out)
{
  for (uint32_t i = 0; i < u->slots.len; i++) {
    const slot *s = &u->slots.data[i];
    for (size_t k = 0; has_places(s) && k < s->values.len; k++) {
      int32_t v = s->values.data[k];
      pnml_place(out, place_id(u, i, v),
                 arena_printf(u->f.arena, "%s=%d", s->name, v), k == 0);
    }
  }
}

static void write_transitions(unfolding *u, text *out)
{
  uint64_t arcs = 0;
  for (size_t i = 0; i < u->transitions.len; i++) {
    const transition *t = &u->transitions.data[i];
    const char *id = arena_printf(u->f.arena, "t%zu", i);
    pnml_transition(out, id, &u->f, t->step);
    for (size_t k = 0; k < t->count; k++) {
      const choice *c = &u->kept.data[t->first + k];
      if (!has_places(&u->slots.data[c->slot]))
        continue;
      pnml_arc(out, arcs++, place_id(u, c->slot, c->before), id, 1, false);
      pnml_arc(out, arcs++, id, place_id(u, c->slot, c->now), 1, false);
    }
  }
}

bool convert_by_values(const model *m, const var_ranges *seen, text *out,
                       text *why)
{
  unfolding u = {.seen = seen, .wanted = NO_SLOT};
  if (flat_build(&u.f, m, why)) {
    add_slots(&u);
    if (!why->len && unfold_all(&u)) {
      pnml_begin(out);
      write_places(&u, out);
      write_transitions(&u, out);
      pnml_end(out);
    }
  }
  for (size_t i = 0; i < u.slots.len; i++)
    vec_free(&u.slots.data[i].values);
  vec_free(&u.slots);
  vec_free(&u.chosen);
  vec_free(&u.values);
  vec_free(&u.kept);
  vec_free(&u.transitions);
  flat_free(&u.f);
  return !why->len;
}
