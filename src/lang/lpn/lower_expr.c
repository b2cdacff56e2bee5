#include "lang/lpn/lpn_net.h"

static expr *read_var(net *n, var *v, span where)
{
  return expr_var(n->m, ref_new(n->m, v, NULL, NULL, where), where);
}

/* The place called so in 'module'; without one, in the only module with it,
** or "module.place". */
static var *find_place(const net *n, const net_module *module, const char *name,
                       bool *several)
{
  var *found = NULL;
  for (uint32_t i = 0; i < n->modules.len; i++) {
    const net_module *m = n->modules.data[i];
    uint32_t at = net_find(&m->place_of, name);
    if ((module && m != module) || at == NET_NONE)
      continue;
    *several = found != NULL;
    found = m->places.data[at].var;
  }
  for (size_t i = 0; !found && i < n->m->globals.len; i++)
    if (n->m->globals.data[i]->name == name)
      found = n->m->globals.data[i];
  return found;
}

/* Signals and variables first: a place may have the name of one. */
static expr *lower_name(net *n, const net_module *module, const net_expr *e)
{
  uint32_t at = net_find(&n->variable_of, e->name);
  if (at != NET_NONE)
    return read_var(n, n->vars.data[at], e->where);
  bool several = false;
  var *place = find_place(n, module, e->name, &several);
  if (several)
    diag_error(n->diags, e->where,
               "several modules have a place '%s': say which, as in 'm.%s'",
               e->name, e->name);
  else if (!place)
    diag_error(n->diags, e->where, "there is no variable or place '%s'",
               e->name);
  return place && !several ? read_var(n, place, e->where) : NULL;
}

expr *net_lower_expr(net *n, const net_module *module, const net_expr *e)
{
  if (e->kind == NET_NUMBER)
    return expr_const(n->m, e->value, e->where);
  if (e->kind == NET_NAME)
    return lower_name(n, module, e);
  if (e->kind == NET_FIREABLE)
    return net_lower_fireable(n, e);
  expr *args[3] = {NULL, NULL, NULL};
  for (int i = 0; i < 3 && e->args[i]; i++) {
    if (e->args[i]->real) {
      diag_error(n->diags, e->args[i]->where,
                 "this division need not give an integer: write idiv(a,b)");
      return NULL;
    }
    args[i] = net_lower_expr(n, module, e->args[i]);
    if (!args[i])
      return NULL;
  }
  return expr_new(n->m, e->op, args[0], args[1], args[2], e->where);
}

static bool is_truth(const expr *e)
{
  if (op_is_truth(e->op))
    return true;
  switch (e->op) {
  case OP_CONST:
    return e->value == 0 || e->value == 1;
  case OP_VAR:
    return e->ref->var->type.kind == TYPE_BOOL;
  default:
    return false;
  }
}

expr *net_lower_truth(net *n, const net_module *module, const net_expr *e)
{
  expr *made = net_lower_expr(n, module, e);
  if (!made || is_truth(made))
    return made;
  return expr_new(n->m, OP_NE, made, expr_const(n->m, 0, e->where), NULL,
                  e->where);
}
