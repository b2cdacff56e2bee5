/* Hints for those who come from C, or from other notations of formulas. */

#include "lang/promela/parse/parse_internal.h"
#include <string.h>

/* Names that are words of C, or of formulas elsewhere, and what to write. */
static const struct {
  const char *name, *instead;
  bool formula;
} habits[] = {
    {"while", "a loop is 'do :: condition -> ... :: else -> break od'", false},
    {"switch", "a choice is 'if :: condition -> ... :: else -> ... fi'", false},
    {"G", "'always' is written '[]'", true},
    {"F", "'eventually' is written '<>'", true},
};

void pml_hint_habit(parser *p, const pml_expr *before)
{
  while (before && before->kind != E_REF)
    before = before->b ? before->b : before->a;
  if (p->in_ltl && p->tok.kind == T_ASSIGN)
    diag_note(p->diags, p->tok.where, "values are compared with '=='");
  for (size_t i = 0; before && i < sizeof habits / sizeof *habits; i++)
    if (p->tok.kind != T_ASSIGN && habits[i].formula == p->in_ltl &&
        !strcmp(before->steps[0].name, habits[i].name))
      diag_note(p->diags, before->where, "%s", habits[i].instead);
}
