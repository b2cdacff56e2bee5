#include "lang/gaston/lower.h"

gst_symbol *gst_symbols_add(scopes *t, gst_symbol_kind kind, const void *scope,
                            const gst_name *name)
{
  gst_symbol *s = ARENA_NEW(t->arena, gst_symbol);
  s->as = (scoped){name->name, scope, kind == SYMBOL_LABEL, name->where, NULL};
  s->kind = kind;
  scopes_add(t, &s->as);
  return s;
}

static bool is_label(const scoped *s, int label)
{
  return s->apart == (label != 0);
}

const gst_symbol *gst_symbols_nearest(const scopes *t, const void *scope,
                                      bool label, const char *name)
{
  return scopes_nearest(t, scope, name, is_label, label);
}
