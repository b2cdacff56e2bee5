/* What the two files of rewriting rules share. */

#ifndef NUT_LOGIC_LTL_RULES_H
#define NUT_LOGIC_LTL_RULES_H

#include "logic/ltl_internal.h"

/* The && or || of the simple formulas on the stack of operands from 'base' on,
** which are taken from it. */
const ltl *ltl_join_operands(ltl_context *, ltl_op, size_t base);

/* Splits the operands of f, which is a chain of 'op' or stands for a chain of
** one: '*with' becomes the chain of those with all 'facts' (or, when 'facts' is
** 0, with the operator 'kind'), '*without' that of the others. */
void ltl_part_operands(ltl_context *, const ltl *f, ltl_op op, unsigned facts,
                       ltl_op kind, const ltl **with, const ltl **without);

#endif
