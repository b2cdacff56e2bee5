#include "lang/dve/symbols.h"

symbol *symbols_add(scopes *t, symbol_kind kind, const process_info *scope,
                    const char *name, span where)
{
  symbol *s = ARENA_NEW(t->arena, symbol);
  s->as = (scoped){name, scope, kind == SYMBOL_STATE, where, NULL};
  s->kind = kind;
  scopes_add(t, &s->as);
  return s;
}

static bool is_of_kind(const scoped *s, int kind)
{
  return ((const symbol *)s)->kind == (symbol_kind)kind;
}

const symbol *symbols_nearest(const scopes *t, const process_info *scope,
                              symbol_kind kind, const char *name)
{
  return scopes_nearest(t, scope, name, is_of_kind, kind);
}
