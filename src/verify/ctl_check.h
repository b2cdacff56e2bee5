/* Formulas of CTL: those of the options and those of nets (MCC).
**
** They are checked after everything else, on a symbolic space when there is
** one; otherwise state by state where the states are few, and symbolically
** where they are many. */

#ifndef NUT_VERIFY_CTL_CHECK_H
#define NUT_VERIFY_CTL_CHECK_H

#include "model/ctl.h"
#include "verify/verification.h"

/* Reads the formulas and constraints of the options; false with messages. */
bool ctl_prepare(verification *, const nut_options *);
/* Reads a formula, or a constraint, that is a source of the model; false with
** diagnostics of the model. */
bool ctl_read(verification *, const char *name, const char *formula,
              uint32_t file);
bool ctl_read_fair(verification *, uint32_t file);
/* Whether only some runs count. */
bool ctl_is_fair(const verification *);
/* Adds an answer for each formula; the space may be NULL. */
void ctl_answer(verification *, const nut_options *, symbolic_space *);
void ctl_free(verification *);

/* What showed the last answer; its formulas are those of the question, reduced.
** NULL: nothing was asked. */
const struct ctl_tree *ctl_last_tree(const verification *);
/* A reduced formula, or its negation, as it is written; lives as the outcome. */
const char *ctl_written(verification *, const ctl *, bool holds);
/* What a run is to show in its last state, of which a formula is true; no
** expression: nothing about this state alone. */
trace_claim ctl_claim(verification *, const ctl *goal);

#endif
