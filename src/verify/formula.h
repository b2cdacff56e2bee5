/* Formulas of options and files: LTL over conditions of the model's language.
 */

#ifndef NUT_VERIFY_FORMULA_H
#define NUT_VERIFY_FORMULA_H

#include "model/ltl.h"
#include "verify/verification.h"

/* Reads the formula that is a source of the model (0: too long to be one).
** NULL with diagnostics of the model. */
const ltl *formula_read(verification *, uint32_t file);

#endif
