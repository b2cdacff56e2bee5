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

#endif
