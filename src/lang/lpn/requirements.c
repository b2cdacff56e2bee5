/* What is checked of a net.  Every property is an invariant, also those about
** a state and what follows it: 'expr_before' says of the state before a step
** what will be so after it.
**
**   fail         no fail transition is enabled
**   safe         no place holds two tokens
**   disabling    no transition disables one of other places
**   consistency  a+ when a is 0, a- when a is 1
**   persistency  no edge of an output is disabled by another signal */

#include "lang/lpn/lpn_net.h"

#include <string.h>

/* More nodes than this are not written out; the property stays unknown. */
enum { NODES_MAX = 1 << 21 };

typedef struct judging {
  net *net;
  VEC(expr *) wrong; /* one of them true: violated */
  VEC(culprit) culprits;
  uint64_t nodes;
} judging;

static uint64_t nodes_of(const expr *e)
{
  uint64_t sum = 1;
  for (int i = 0; i < 3 && e->args[i]; i++)
    sum += nodes_of(e->args[i]);
  return sum;
}

static expr *both(net *n, expr *a, expr *b)
{
  return expr_new(n->m, OP_AND, a, b, NULL, a->where);
}

static expr *negation(net *n, expr *a)
{
  return expr_new(n->m, OP_NOT, a, NULL, NULL, a->where);
}

/* 'e' is wrong: "NAME VERB OTHER". */
static void add_wrong(judging *j, expr *e, const char *name, const char *verb,
                      const char *other)
{
  arena *a = j->net->m->arena;
  culprit c = {e, name, verb, other};
  j->nodes += nodes_of(e);
  if (j->nodes > NODES_MAX)
    return;
  arena_push(a, &j->wrong, e);
  arena_push(a, &j->culprits, c);
}

/* Names of places and transitions belong to a module. */
static const char *full_name(const net *n, const net_module *m,
                             const char *name)
{
  return n->modules.len > 1 ? arena_printf(n->m->arena, "%s.%s", m->name, name)
                            : name;
}

/* How the properties are called in words. */
static const char *meaning_of(const char *name)
{
  static const char *const meanings[][2] = {
      {"fail", "no fail transition is enabled"},
      {"safe", "no place holds two tokens"},
      {"disabling", "no transition disables one of other places"},
      {"consistency", "the edges of every signal alternate"},
      {"persistency", "no edge of an output is disabled by another signal"},
  };
  for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    if (!strcmp(meanings[i][0], name))
      return meanings[i][1];
  return name;
}

static void conclude(judging *j, const char *name, span where)
{
  model *m = j->net->m;
  if (j->nodes > NODES_MAX) {
    diag_warn(j->net->diags, where, "the net is too large for '%s'", name);
    model_add_property(m, PROPERTY_LTL, name, where)->formula =
        meaning_of(name);
    return;
  }
  expr *wrong = expr_join(m, OP_OR, j->wrong.data, j->wrong.len);
  expr *right = wrong ? negation(j->net, wrong) : expr_const(m, 1, where);
  property *p = model_add_property(m, PROPERTY_INVARIANT, name, where);
  p->expr = right;
  p->formula = meaning_of(name);
  p->culprits = j->culprits.data;
  p->culprit_count = (uint32_t)j->culprits.len;
}

static expr *read_var(net *n, var *v, span where)
{
  return expr_var(n->m, ref_new(n->m, v, NULL, NULL, where), where);
}

/* ---- states alone ------------------------------------------------------ */

static void judge_failure(net *n)
{
  judging j = {.net = n};
  for (uint32_t i = 0; i < n->modules.len; i++) {
    const net_module *m = n->modules.data[i];
    for (uint32_t k = 0; k < m->transitions.len; k++)
      if (m->transitions.data[k].fails)
        add_wrong(&j, m->transitions.data[k].enabled,
                  full_name(n, m, m->transitions.data[k].name), "is enabled",
                  NULL);
  }
  if (j.wrong.len)
    conclude(&j, "fail", j.wrong.data[0]->where);
}

static void judge_safeness(net *n, span where)
{
  judging j = {.net = n};
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->places.len; k++) {
      const net_place *p = &n->modules.data[i]->places.data[k];
      add_wrong(&j,
                expr_new(n->m, OP_GT, read_var(n, p->var, p->where),
                         expr_const(n->m, 1, p->where), NULL, p->where),
                p->var->name, "holds two tokens", NULL);
    }
  conclude(&j, "safe", where);
}

static void judge_consistency(net *n, span where)
{
  judging j = {.net = n};
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->transitions.len; k++) {
      net_transition *t = &n->modules.data[i]->transitions.data[k];
      if (!t->signal || t->direction == '~')
        continue;
      var *v = n->vars.data[net_find(&n->variable_of, t->signal)];
      expr *value = read_var(n, v, t->where);
      if (t->direction == '-')
        value = negation(n, value);
      add_wrong(&j, both(n, t->enabled, value),
                full_name(n, n->modules.data[i], t->name),
                "is enabled, and the signal has that value already", NULL);
    }
  conclude(&j, "consistency", where);
}

/* ---- states and what follows ------------------------------------------- */

static bool share_place(const net_transition *t, const net_transition *u)
{
  for (uint32_t i = 0; i < t->pre.len; i++)
    for (uint32_t k = 0; k < u->pre.len; k++)
      if (t->pre.data[i] == u->pre.data[k])
        return true;
  return false;
}

/* Whether 't', fired while 'u' is enabled, makes its guard false. */
static void judge_pair(judging *j, const net_module *of_t,
                       const net_transition *t, const net_module *of_u,
                       const net_transition *u)
{
  net *n = j->net;
  for (uint32_t i = 0; i < t->edges.len; i++) {
    expr *then = expr_before(n->m, t->edges.data[i], u->condition);
    if (then != u->condition)
      add_wrong(j, both(n, both(n, t->enabled, u->enabled), negation(n, then)),
                full_name(n, of_t, t->name), "disables",
                full_name(n, of_u, u->name));
  }
}

static void judge_disabling(net *n, span where)
{
  judging j = {.net = n};
  for (uint32_t a = 0; a < n->modules.len; a++)
    for (uint32_t b = 0; b < n->modules.len; b++)
      for (uint32_t i = 0; i < n->modules.data[a]->transitions.len; i++)
        for (uint32_t k = 0; k < n->modules.data[b]->transitions.len; k++) {
          net_transition *t = &n->modules.data[a]->transitions.data[i];
          net_transition *u = &n->modules.data[b]->transitions.data[k];
          if (t == u || !u->condition || u->kept || u->may_stop ||
              (a == b && share_place(t, u)) || j.nodes > NODES_MAX)
            continue;
          judge_pair(&j, n->modules.data[a], t, n->modules.data[b], u);
        }
  conclude(&j, "disabling", where);
}

/* The edges like 'u' of its module, after 'e': one of them is enabled. */
static expr *still_enabled(net *n, const net_module *m, const net_transition *u,
                           const edge *e)
{
  VEC(expr *) parts = {0};
  for (uint32_t i = 0; i < m->transitions.len; i++) {
    const net_transition *t = &m->transitions.data[i];
    if (t->signal == u->signal && t->direction == u->direction)
      arena_push(n->m->arena, &parts, expr_before(n->m, e, t->enabled));
  }
  return expr_join(n->m, OP_OR, parts.data, parts.len);
}

static bool is_output(const net *n, const net_transition *t)
{
  return t->signal &&
         n->variables.data[net_find(&n->variable_of, t->signal)].role !=
             NET_INPUT;
}

static void judge_persistency(net *n, span where)
{
  judging j = {.net = n};
  for (uint32_t a = 0; a < n->modules.len; a++) {
    const net_module *m = n->modules.data[a];
    for (uint32_t i = 0; i < m->transitions.len; i++)
      for (uint32_t k = 0; k < m->transitions.len; k++) {
        const net_transition *t = &m->transitions.data[i];
        const net_transition *u = &m->transitions.data[k];
        if (!is_output(n, u) || t->signal == u->signal || !share_place(t, u) ||
            j.nodes > NODES_MAX)
          continue;
        for (uint32_t e = 0; e < t->edges.len; e++)
          add_wrong(&j,
                    both(n, both(n, t->enabled, u->enabled),
                         negation(n, still_enabled(n, m, u, t->edges.data[e]))),
                    full_name(n, m, t->name), "disables",
                    full_name(n, m, u->name));
      }
  }
  conclude(&j, "persistency", where);
}

void net_judge(net *n)
{
  bool signals = false;
  uint32_t number = 0;
  for (uint32_t i = 0; i < n->modules.len; i++)
    signals = signals || n->modules.data[i]->has_signals;
  span where = n->modules.data[0]->where;
  judge_failure(n);
  judge_safeness(n, where);
  judge_disabling(n, where);
  if (signals) {
    judge_consistency(n, where);
    judge_persistency(n, where);
  }
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->properties.len; k++)
      net_add_property(n, n->modules.data[i],
                       &n->modules.data[i]->properties.data[k], ++number);
  net_add_coding(n);
}
