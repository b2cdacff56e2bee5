/* Names, types and the rules that are not in the grammar.  See ast.h for what
** the tree holds afterwards. */

#ifndef NUT_LANG_PROMELA_RESOLVE_RESOLVE_H
#define NUT_LANG_PROMELA_RESOLVE_RESOLVE_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "lang/promela/ast.h"

void promela_resolve(arena *, names *, diags *, promela_module *);

/* Resolves a formula against a module that was resolved before. */
void promela_resolve_formula(arena *, names *, diags *, promela_module *,
                             pml_expr *);

#endif
