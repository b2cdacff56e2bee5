/* PNML.  A model that was a net is one again: its variables only count, they
** are compared with constants, and constants are added to them.  Others become
** nets by their values (unfold.c). */

#include "convert/write_pnml.h"
#include "convert/simplify.h"

/* ---- text -------------------------------------------------------------- */

void pnml_begin(text *out)
{
  text_add(out,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
           "  <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/"
           "ptnet\">\n    <page id=\"page\">\n");
}

void pnml_end(text *out)
{
  text_add(out, "    </page>\n  </net>\n</pnml>\n");
}

void pnml_place(text *out, const char *id, const char *name, int64_t tokens)
{
  text_printf(out, "    <place id=\"%s\"><name><text>", id);
  text_add_xml(out, name);
  text_add(out, "</text></name>");
  if (tokens)
    text_printf(out, "<initialMarking><text>%lld</text></initialMarking>",
                (long long)tokens);
  text_add(out, "</place>\n");
}

void pnml_transition(text *out, const char *id, const flat *f,
                     const flat_step *s)
{
  text_printf(out, "    <transition id=\"%s\"><name><text>", id);
  for (uint32_t k = 0; k < s->count; k++) {
    const edge *e = f->parts.data[s->first + k].edge;
    text_add(out, k ? " | " : "");
    text_add_xml(out, e->text ? e->text : e->process->name);
  }
  text_add(out, "</text></name></transition>\n");
}

void pnml_arc(text *out, uint64_t number, const char *source,
              const char *target, int64_t weight, bool inhibits)
{
  text_printf(out, "    <arc id=\"a%llu\" source=\"%s\" target=\"%s\">",
              (unsigned long long)number, source, target);
  if (weight != 1)
    text_printf(out, "<inscription><text>%lld</text></inscription>",
                (long long)weight);
  if (inhibits)
    text_add(out, "<type value=\"inhibitor\"/>");
  text_add(out, "</arc>\n");
}

/* ---- nets -------------------------------------------------------------- */

/* What a transition does to one variable. */
typedef struct touch {
  const var *var;
  int64_t least;  /* tokens it needs */
  int64_t below;  /* and must not have; INT64_MAX: no limit */
  int64_t change; /* tokens it adds */
} touch;

typedef struct net {
  flat f;
  text *out;
  VEC(touch) touches; /* of the transition at hand */
  uint64_t arcs;
} net;

static bool refuse(net *n, const char *reason)
{
  if (!n->f.why->len)
    text_add(n->f.why, reason);
  return false;
}

static bool is_counter(const var *v)
{
  return !v->owner && v->length == 1 && !(v->flags & VAR_ARRAY) &&
         v->type.kind != TYPE_RECORD && v->type.kind != TYPE_CHAN;
}

/* ---- what a step needs ------------------------------------------------- */

static touch *touch_of(net *n, const var *v)
{
  for (size_t i = 0; i < n->touches.len; i++)
    if (n->touches.data[i].var == v)
      return &n->touches.data[i];
  vec_push(&n->touches, ((touch){v, 0, INT64_MAX, 0}));
  return &vec_last(&n->touches);
}

static const var *counter_of(const expr *e)
{
  return e->op == OP_VAR && !e->ref->field && !e->ref->index &&
                 is_counter(e->ref->var)
             ? e->ref->var
             : NULL;
}

static bool need(net *n, const var *v, int64_t least, int64_t below)
{
  touch *t = touch_of(n, v);
  if (least > t->least)
    t->least = least;
  if (below < t->below)
    t->below = below;
  return true;
}

/* 'v OP c', as a number of tokens that there must be, or must not be. */
static bool need_compared(net *n, op o, const var *v, int64_t c)
{
  switch (o) {
  case OP_GE:
    return need(n, v, c, INT64_MAX);
  case OP_GT:
    return need(n, v, c + 1, INT64_MAX);
  case OP_LT:
    return need(n, v, 0, c);
  case OP_LE:
    return need(n, v, 0, c + 1);
  case OP_EQ:
    return need(n, v, c, c + 1);
  case OP_NE:
    if (c == 0)
      return need(n, v, 1, INT64_MAX);
    return refuse(n, "a condition is not one of tokens in places");
  default:
    return refuse(n, "a condition is not one of tokens in places");
  }
}

static bool need_condition(net *n, const expr *e)
{
  const var *v = counter_of(e);
  if (v)
    return need(n, v, 1, INT64_MAX);
  if (e->op == OP_CONST && e->value)
    return true;
  if (e->op == OP_AND)
    return need_condition(n, e->args[0]) && need_condition(n, e->args[1]);
  if (e->op == OP_NOT && (v = counter_of(e->args[0])))
    return need(n, v, 0, 1);
  if (e->args[0] && e->args[1] && (v = counter_of(e->args[0])) &&
      e->args[1]->op == OP_CONST)
    return need_compared(n, e->op, v, e->args[1]->value);
  return refuse(n, "a condition is not one of tokens in places");
}

/* ---- what a step does -------------------------------------------------- */

/* 'v + a - b ...' with constants; false when it is something else. */
static bool sum_of(const expr *e, const var *v, int64_t *sum, bool *seen)
{
  if (e->op == OP_CONST) {
    *sum += e->value;
    return true;
  }
  if (counter_of(e) == v && !*seen)
    return *seen = true;
  int64_t right = 0;
  bool none = true;
  if (e->op == OP_ADD)
    return sum_of(e->args[0], v, sum, seen) && sum_of(e->args[1], v, sum, seen);
  if (e->op != OP_SUB || !sum_of(e->args[0], v, sum, seen) ||
      !sum_of(e->args[1], v, &right, &none))
    return false;
  *sum -= right;
  return true;
}

/* 'v = 0' takes the one token of a place that can have no more. */
static bool add_change(net *n, const var *v, const expr *e)
{
  int64_t sum = 0;
  bool seen = false;
  touch *t = touch_of(n, v);
  if (t->change)
    return refuse(n, "a step changes a variable twice");
  if (!sum_of(e, v, &sum, &seen))
    return refuse(n, "a variable gets a value that is not its own with a "
                     "constant added");
  if (!seen) {
    /* The value before must be known. */
    int64_t before = t->below != INT64_MAX ? t->below - 1 : v->type.hi;
    if (t->least != before)
      return refuse(n, "a variable gets a value that is not its own with a "
                       "constant added");
    sum -= before;
  }
  t->change = sum;
  return true;
}

static bool add_edge(net *n, const edge *e)
{
  if (e->guard && !need_condition(n, e->guard))
    return false;
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    if (f->kind == EFFECT_PRINT || f->kind == EFFECT_PRINTM)
      continue;
    if (f->kind != EFFECT_ASSIGN)
      return refuse(n, "a step does more than to move tokens");
    if (f->target->field || !is_counter(f->target->var))
      return refuse(n, "there are variables that are no counters");
    if (!add_change(n, f->target->var, f->value))
      return false;
  }
  return true;
}

/* A place cannot have fewer tokens than none. */
static bool check_bounds(net *n)
{
  for (size_t i = 0; i < n->touches.len; i++)
    if (n->touches.data[i].least + n->touches.data[i].change < 0)
      return refuse(n, "a variable can become negative");
  return true;
}

static bool write_counters(net *n)
{
  const model *m = n->f.m;
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    int64_t tokens = 0;
    if (!is_counter(v))
      return refuse(n, "there are variables that are no counters");
    if (v->init.len) {
      if (v->init.data[0]->op != OP_CONST)
        return refuse(n, "an initial value is not a constant");
      tokens = v->init.data[0]->value;
    }
    const char *id = arena_printf(n->f.arena, "v%zu", i);
    pnml_place(n->out, id, v->name, tokens);
  }
  return true;
}

/* Takes what is needed, and gives back what stays. */
static void write_touch(net *n, const touch *t, const char *transition)
{
  const char *place = arena_printf(n->f.arena, "v%u", t->var->index);
  int64_t take = t->least > -t->change ? t->least : -t->change;
  if (take)
    pnml_arc(n->out, n->arcs++, place, transition, take, false);
  if (take + t->change)
    pnml_arc(n->out, n->arcs++, transition, place, take + t->change, false);
  if (t->below != INT64_MAX && t->below <= t->var->type.hi)
    pnml_arc(n->out, n->arcs++, place, transition, t->below, true);
}

static bool write_transition(net *n, const flat_step *s, size_t number)
{
  const char *id = arena_printf(n->f.arena, "t%zu", number);
  vec_clear(&n->touches);
  if (!add_edge(n, n->f.parts.data[s->first].edge) || !check_bounds(n))
    return false;
  pnml_transition(n->out, id, &n->f, s);
  for (size_t i = 0; i < n->touches.len; i++)
    write_touch(n, &n->touches.data[i], id);
  return true;
}

static void write_net(net *n)
{
  pnml_begin(n->out);
  if (!write_counters(n))
    return;
  for (size_t i = 0; i < n->f.steps.len; i++)
    if (!write_transition(n, &n->f.steps.data[i], i))
      return;
  pnml_end(n->out);
}

bool convert_to_pnml(model *m, const var_ranges *seen, text *out, text *why)
{
  static const abilities able = {false, false};
  simplify(m, &able);
  if (!m->language->is_net)
    return convert_by_values(m, seen, out, why);
  net n = {.out = out};
  if (flat_build(&n.f, m, why))
    write_net(&n);
  vec_free(&n.touches);
  flat_free(&n.f);
  return !why->len;
}
