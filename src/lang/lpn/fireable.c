/* 'fireable(t, ...)' in conditions: one of these transitions can be fired. */

#include "lang/lpn/lpn_net.h"

#include <string.h>

/* The next token, when nothing stands before it. */
static bool accept_close(net_parser *p, uint8_t kind)
{
  const token *next = scan_token(p->s), *last = next - 1;
  return last->start + last->length == next->start && scan_accept(p->s, kind);
}

/* t, a+, a-, a~, each perhaps with /2; interned. */
static const char *parse_name(net_parser *p)
{
  const char *word = scan_name(p->s, "a transition", NULL);
  if (!word)
    return NULL;
  const char *sign = accept_close(p, T_PLUS)    ? "+"
                     : accept_close(p, T_MINUS) ? "-"
                     : accept_close(p, T_NOT)   ? "~"
                                                : "";
  const char *made = arena_printf(p->arena, "%s%s", word, sign);
  if (accept_close(p, T_SLASH)) {
    int32_t number;
    if (!net_parse_number(p, &number))
      return NULL;
    made = arena_printf(p->arena, "%s/%d", made, number);
  }
  return name_of(p->s->names, made);
}

net_expr *net_parse_fireable(net_parser *p, size_t first)
{
  net_expr *all = NULL;
  span opened = scan_next(p->s)->where;
  for (bool more = true; more; more = scan_accept(p->s, T_COMMA)) {
    size_t at = p->s->at;
    const char *name = parse_name(p);
    if (!name)
      return NULL;
    net_expr *e = ARENA_NEW(p->arena, net_expr);
    *e = (net_expr){.kind = NET_FIREABLE,
                    .name = name,
                    .weight = 1,
                    .depth = 1,
                    .where = scan_span(p->s, at)};
    all = all ? net_make(p, OP_OR, all, e, NULL, scan_span(p->s, first)) : e;
    if (!all)
      return NULL;
  }
  return scan_close(p->s, T_RPAR, opened) ? all : NULL;
}

/* "a+" stands for all of its instances, "a+/2" too. */
static bool is_called(const net_transition *t, const char *name, size_t length)
{
  return strncmp(t->name, name, length) == 0 &&
         (!t->name[length] || t->name[length] == '/');
}

static expr *add_enabled(net *n, const net_module *m, const char *name,
                         expr *found)
{
  for (uint32_t i = 0; i < m->transitions.len; i++) {
    const net_transition *t = &m->transitions.data[i];
    if (is_called(t, name, strlen(name)) && t->enabled)
      found = found ? expr_new(n->m, OP_OR, found, t->enabled, NULL, t->where)
                    : t->enabled;
  }
  return found;
}

expr *net_lower_fireable(net *n, const net_expr *e)
{
  expr *found = NULL;
  for (uint32_t i = 0; i < n->modules.len; i++) {
    const net_module *m = n->modules.data[i];
    size_t length = strlen(m->name ? m->name : "");
    found = add_enabled(n, m, e->name, found);
    if (length && !strncmp(e->name, m->name, length) && e->name[length] == '.')
      found = add_enabled(n, m, e->name + length + 1, found);
  }
  if (!found)
    diag_error(n->diags, e->where, "there is no transition '%s'", e->name);
  return found;
}
