/* Bodies of processes.  A step becomes one edge; a choice is the edges that
** leave one location; a loop leads back there, and its end is an edge that can
** be taken when no condition is true. */

#include "lang/gaston/lower.h"

#include <string.h>

enum { LOCATIONS_MAX = 65535 };

/* What the lowering of one body carries along. */
typedef struct body {
  gst_context c;
  uint32_t after_loop; /* where 'exit' leads; NOWHERE outside of loops */
} body;

#define NOWHERE UINT32_MAX

static uint32_t new_location(body *b, span where)
{
  process_type *p = b->c.self->type;
  if (p->locations.len == LOCATIONS_MAX)
    diag_error(b->c.l->diags, where, "a process of more than %d places",
               LOCATIONS_MAX);
  return model_add_location(b->c.l->m, p, 0, (int32_t)p->locations.len, where);
}

/* ---- communication ----------------------------------------------------- */

static const gst_port *find_port(const gst_context *c, const gst_name *name)
{
  gst_lower *l = c->l;
  const gst_symbol *s = scopes_find(&l->symbols, NULL, false, name->name);
  if (!s || s->kind != SYMBOL_PORT) {
    diag_error(l->diags, name->where, "'%s' is not a port", name->name);
    if (s)
      diag_note(l->diags, s->as.where, "declared here");
    return NULL;
  }
  const gst_name *m = s->port->source->members;
  while (m && m->name != c->self->source->names->name)
    m = m->next;
  if (m)
    return s->port;
  diag_error(l->diags, name->where, "process '%s' is no member of port '%s'",
             c->self->source->names->name, name->name);
  diag_note(l->diags, s->as.where, "declared here");
  return NULL;
}

static void add_value(comm *to, expr *value)
{
  comm_arg a = {.kind = ARG_VALUE, .value = value};
  vec_push(&to->args, a);
}

/* A whole record or array, all its scalars in order. */
static bool add_whole(const gst_context *c, comm *to, const gst_arg *a,
                      const gst_type *t, bool store)
{
  gst_lower *l = c->l;
  gst_place p;
  if (!gst_lower_place(c, a->value, &p))
    return false;
  if (!gst_same_type(p.type, t)) {
    diag_error(l->diags, a->where, "this is %s, but it must be %s",
               gst_type_text(l, p.type), gst_type_text(l, t));
    return false;
  }
  if (store && gst_place_depends(&p, &p)) {
    diag_error(l->diags, a->where,
               "the index reads what is assigned; receive the parts one by "
               "one");
    return false;
  }
  ref **scalars = gst_scalar_refs(l, &p);
  for (uint32_t i = 0; scalars && i < t->scalars; i++) {
    comm_arg made = {.kind = ARG_STORE, .target = scalars[i]};
    if (store)
      vec_push(&to->args, made);
    else
      add_value(to, expr_var(l->m, scalars[i], a->where));
  }
  return scalars;
}

static bool add_arg(const gst_context *c, comm *to, const gst_arg *a,
                    const gst_type *t, bool sends)
{
  bool stores =
      !sends && a->kind == GST_GIVE && gst_names_variable(c, a->value);
  if (a->kind == GST_ANY) {
    for (uint32_t i = 0; i < t->scalars && i < GST_WHOLE_MAX; i++)
      vec_push(&to->args, ((comm_arg){.kind = ARG_IGNORE}));
    return true;
  }
  if (stores || !gst_is_scalar(t))
    return add_whole(c, to, a, t, stores);
  expr *value = gst_lower_typed(c, a->value, t);
  if (value)
    add_value(to, value);
  return value;
}

static comm *lower_comm(const gst_context *c, const gst_comm *g)
{
  gst_lower *l = c->l;
  const gst_port *port = find_port(c, &g->port);
  if (!port)
    return NULL;
  expr *number = expr_const(l->m, port->number, g->port.where);
  number->label = g->port.name;
  comm *made =
      comm_new(l->m, g->sends ? COMM_MULTICAST : COMM_JOIN, number, g->where);
  uint32_t i = 0;
  for (const gst_arg *a = g->args; a; a = a->next, i++)
    if (i < port->count && !add_arg(c, made, a, port->types[i], g->sends))
      return NULL;
  if (i == port->count)
    return made;
  diag_error(l->diags, g->where, "port '%s' carries %u value%s, not %u",
             g->port.name, port->count, port->count == 1 ? "" : "s", i);
  diag_note(l->diags, port->source->names->where, "declared here");
  return NULL;
}

/* ---- effects ----------------------------------------------------------- */

static void add_assignment(const gst_context *c, edge *to, ref *target,
                           expr *value, span where)
{
  effect *made = model_add_effect(c->l->m, to, EFFECT_ASSIGN, where);
  made->target = target;
  made->value = value;
}

static void assign_whole(const gst_context *c, edge *to, const gst_effect *f,
                         const gst_place *target)
{
  gst_lower *l = c->l;
  gst_place value;
  if (!gst_lower_place(c, f->value, &value))
    return;
  if (!gst_same_type(target->type, value.type)) {
    diag_error(l->diags, f->value->where, "this is %s, but it must be %s",
               gst_type_text(l, value.type), gst_type_text(l, target->type));
    return;
  }
  if (gst_place_depends(target, target) || gst_place_depends(&value, target)) {
    diag_error(l->diags, f->where,
               "an index reads what is assigned; assign the parts one by one");
    return;
  }
  ref **a = gst_scalar_refs(l, target), **b = gst_scalar_refs(l, &value);
  for (uint32_t i = 0; a && b && i < target->type->scalars; i++)
    add_assignment(c, to, a[i], expr_var(l->m, b[i], f->where), f->where);
}

static void lower_assignment(const gst_context *c, edge *to,
                             const gst_effect *f)
{
  gst_lower *l = c->l;
  gst_place target;
  if (!gst_lower_place(c, f->target, &target))
    return;
  const gst_type *t = target.type;
  if (!gst_is_scalar(t)) {
    assign_whole(c, to, f, &target);
    return;
  }
  expr *value = gst_lower_typed(c, f->value, t);
  if (!value)
    return;
  /* What is repeated may be right in all cases that can be reached. */
  bool once = !c->bound && !c->self->parameter;
  if (once && value->op == OP_CONST &&
      (value->value < t->lo || value->value > t->hi))
    diag_warn(l->diags, f->where, "%d is not in the range %d..%d of '%s'",
              value->value, t->lo, t->hi, f->target->name.name);
  add_assignment(c, to, gst_place_ref(l, &target), value, f->where);
}

static void lower_effect(const gst_context *c, edge *to, const gst_effect *f)
{
  gst_binding b;
  gst_context inner = {c->l, c->self, &b};
  effect *made;
  expr *value;
  switch (f->kind) {
  case GST_ASSIGN:
    lower_assignment(c, to, f);
    break;
  case GST_ASSERT:
    value = gst_lower_typed(c, f->value, c->l->boolean);
    if (!value)
      break;
    made = model_add_effect(c->l->m, to, EFFECT_ASSERT, f->where);
    made->value = value;
    break;
  case GST_FOR:
    if (!gst_lower_repeated(c, f->over, &f->name, &b))
      break;
    for (; b.value <= b.type->hi && !diags_full(c->l->diags) &&
           c->l->expanded < GST_EXPANDED_MAX;
         b.value++)
      lower_effect(&inner, to, f->body);
    break;
  }
}

/* ---- steps ------------------------------------------------------------- */

static edge *add_edge(const gst_context *c, const gst_step *t, uint32_t from,
                      uint32_t to)
{
  edge *e = model_add_edge(c->l->m, c->self->type, from, to, t->where);
  e->text = t->text;
  return e;
}

/* The edge of a step, except for the condition, which is given. */
static void lower_step(const gst_context *c, const gst_step *t, expr *condition,
                       uint32_t from, uint32_t to)
{
  edge *e = add_edge(c, t, from, to);
  e->guard = condition;
  if (t->comm)
    e->comm = lower_comm(c, t->comm);
  for (const gst_effect *f = t->effects; f; f = f->next)
    lower_effect(c, e, f);
}

static expr *lower_condition(const gst_context *c, const gst_step *t)
{
  return t->condition ? gst_lower_typed(c, t->condition, c->l->boolean) : NULL;
}

/* ---- choices ----------------------------------------------------------- */

static void lower_sequence(body *, const gst_command *, uint32_t from,
                           uint32_t to);

/* Where 'next' begins: a new place, 'to' when there is nothing, or behind the
** loop. */
static uint32_t place_of(body *b, const gst_command *next, uint32_t to)
{
  if (!next)
    return to;
  if (next->kind != GST_EXIT)
    return new_location(b, next->where);
  if (b->after_loop == NOWHERE) {
    diag_error(b->c.l->diags, next->where, "'exit' outside of a loop");
    return to;
  }
  if (next->next)
    diag_error(b->c.l->diags, next->next->where,
               "what follows 'exit' is never done");
  return b->after_loop;
}

/* The conditions of a choice so far, joined by 'or'. */
typedef struct choice {
  expr *any; /* NULL: none */
  bool open; /* an alternative has no condition: one can always be taken, as
             ** soon as its communication can */
  const gst_step *otherwise;
  uint32_t otherwise_to;
  uint32_t from, to;
  uint32_t count; /* alternatives */
} choice;

static void lower_alternative(body *b, const gst_alternative *a, choice *k)
{
  gst_lower *l = b->c.l;
  if (++k->count > SCAN_DEPTH_MAX) {
    diag_error(l->diags, a->step->where,
               "a choice of more than %d alternatives", SCAN_DEPTH_MAX);
    return;
  }
  expr *condition = lower_condition(&b->c, a->step);
  uint32_t target = place_of(b, a->body, k->to);
  if (a->step->is_else) {
    if (k->otherwise)
      diag_error(l->diags, a->step->where, "a second 'else'");
    k->otherwise = a->step;
    k->otherwise_to = target;
  } else {
    lower_step(&b->c, a->step, condition, k->from, target);
    k->open |= !condition;
    if (condition && k->any)
      k->any = expr_new(l->m, OP_OR, k->any, condition, NULL, a->step->where);
    else if (condition)
      k->any = condition;
  }
  if (a->body && a->body->kind != GST_EXIT)
    lower_sequence(b, a->body, target, k->to);
}

static void repeat_alternative(body *b, const gst_alternative *a, choice *k)
{
  gst_binding one;
  gst_context before = b->c;
  if (!gst_lower_repeated(&b->c, a->over, &a->name, &one))
    return;
  b->c.bound = &one;
  size_t errors = diags_errors(before.l->diags);
  for (; one.value <= one.type->hi && diags_errors(before.l->diags) == errors;
       one.value++)
    lower_alternative(b, a, k);
  b->c.bound = before.bound;
}

/* The edge for when no condition is true: 'else', or the end of a loop. */
static void lower_otherwise(body *b, const gst_command *c, const choice *k)
{
  gst_lower *l = b->c.l;
  bool ends = c->kind == GST_DO && !c->forever;
  if (k->otherwise && (k->open || !k->any))
    diag_error(l->diags, k->otherwise->where,
               "'else' is never taken: an alternative has no condition");
  if (k->open || !k->any || (!k->otherwise && !ends))
    return;
  /* A loop whose condition is always true has no end. */
  if (k->any->op == OP_CONST && k->any->value)
    return;
  expr *none = expr_new(l->m, OP_NOT, k->any, NULL, NULL, c->where);
  static const gst_step end = {.text = "od"};
  gst_step leave = end;
  leave.where = c->where;
  lower_step(&b->c, k->otherwise ? k->otherwise : &leave, none, k->from,
             k->otherwise ? k->otherwise_to : k->to);
}

static void lower_choices(body *b, const gst_command *c, uint32_t from,
                          uint32_t to)
{
  uint32_t outer = b->after_loop;
  choice k = {.from = from, .to = c->kind == GST_DO ? from : to};
  if (c->kind == GST_DO)
    b->after_loop = to;
  for (const gst_alternative *a = c->choices; a; a = a->next) {
    if (a->over)
      repeat_alternative(b, a, &k);
    else
      lower_alternative(b, a, &k);
    if (diags_full(b->c.l->diags) || k.count > SCAN_DEPTH_MAX)
      break;
  }
  k.to = to;
  b->after_loop = outer;
  lower_otherwise(b, c, &k);
}

/* ---- sequences --------------------------------------------------------- */

/* What a label's name says about its place, as in Promela. */
static uint32_t flags_of(const char *label)
{
  static const struct {
    const char *prefix;
    uint32_t flag;
  } kinds[] = {
      {"end", LOC_END}, {"accept", LOC_ACCEPT}, {"progress", LOC_PROGRESS}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (!strncmp(label, kinds[i].prefix, strlen(kinds[i].prefix)))
      return kinds[i].flag;
  return 0;
}

static void lower_labels(body *b, const gst_name *n, uint32_t at)
{
  const gst_instance *self = b->c.self;
  for (; n; n = n->next) {
    /* A body that is repeated has its labels several times. */
    gst_symbol *s = gst_declare(b->c.l, SYMBOL_LABEL, self, n);
    if (!s)
      return;
    s->location = at;
    self->type->locations.data[at].label = n->name;
    self->type->locations.data[at].flags |= flags_of(n->name);
  }
}

static void lower_command(body *b, const gst_command *c, uint32_t from,
                          uint32_t to)
{
  lower_labels(b, c->labels, from);
  if (c->kind == GST_STEP)
    lower_step(&b->c, c->step, lower_condition(&b->c, c->step), from, to);
  else
    lower_choices(b, c, from, to);
}

static void lower_sequence(body *b, const gst_command *c, uint32_t from,
                           uint32_t to)
{
  while (c && c->kind != GST_EXIT && !diags_full(b->c.l->diags) &&
         b->c.self->type->locations.len <= LOCATIONS_MAX) {
    uint32_t next = place_of(b, c->next, to);
    lower_command(b, c, from, next);
    from = next;
    c = c->next;
  }
}

void gst_lower_body(gst_lower *l, const gst_instance *self)
{
  const gst_declaration *d = self->source;
  body b = {{l, self, NULL}, NOWHERE};
  span where = d->names->where;
  process_type *p = self->type;
  uint32_t start = new_location(&b, d->body ? d->body->where : where);
  uint32_t end = d->body ? new_location(&b, where) : start;
  p->start = start;
  p->locations.data[end].flags |= LOC_END;
  if (d->body && d->body->kind == GST_EXIT)
    diag_error(l->diags, d->body->where, "'exit' outside of a loop");
  else
    lower_sequence(&b, d->body, start, end);
}
