/* Codes of states, for nets all of whose transitions are edges of signals.  A
** silent transition leads to another state with the same code by its nature,
** so nets with silent transitions have no coding to speak of. */

#include "lang/lpn/lpn_net.h"

static bool has_only_signals(const net *n)
{
  for (uint32_t i = 0; i < n->variables.len; i++)
    if (n->variables.data[i].integer)
      return false;
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->transitions.len; k++)
      if (!n->modules.data[i]->transitions.data[k].signal)
        return false;
  return n->variables.len > 0;
}

/* Some edge of the signal is enabled; NULL when it has none. */
static expr *excitation(net *n, const net_variable *v)
{
  VEC(expr *) parts = {0};
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->transitions.len; k++) {
      const net_transition *t = &n->modules.data[i]->transitions.data[k];
      if (t->signal == v->name)
        arena_push(n->m->arena, &parts, t->enabled);
    }
  expr *any = expr_join(n->m, OP_OR, parts.data, parts.len);
  return any ? expr_new(n->m, OP_NE, any, expr_const(n->m, 0, v->where), NULL,
                        v->where)
             : NULL;
}

static void add_property(net *n, const char *name, const char *meaning)
{
  property *p = model_add_property(n->m, PROPERTY_CODING, name,
                                   n->modules.data[0]->where);
  p->formula = meaning;
}

void net_add_coding(net *n)
{
  if (!has_only_signals(n))
    return;
  net_coding *c = n->coding = ARENA_NEW(n->m->arena, net_coding);
  c->signals = n->vars.data;
  c->signal_count = (uint32_t)n->vars.len;
  c->excited = ARENA_ARRAY(n->m->arena, expr *, n->variables.len);
  c->outputs = ARENA_ARRAY(n->m->arena, var *, n->variables.len);
  for (uint32_t i = 0; i < n->variables.len; i++) {
    const net_variable *v = &n->variables.data[i];
    expr *any = v->role == NET_INPUT ? NULL : excitation(n, v);
    if (!any)
      continue;
    c->outputs[c->excited_count] = n->vars.data[i];
    c->excited[c->excited_count++] = any;
  }
  add_property(n, "csc", "states with the same code excite the same outputs");
  add_property(n, "usc", "no two states have the same code");
}
