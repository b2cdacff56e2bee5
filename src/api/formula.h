/* Formulas of options and files: LTL over conditions of the model's language.
 */

#ifndef NUT_API_FORMULA_H
#define NUT_API_FORMULA_H

#include "api/handle.h"
#include "model/ltl.h"

/* Reads the formula that is a source of the model (0: too long to be one).
** NULL with diagnostics of the model. */
const ltl *formula_read(nut_model *, uint32_t file);

#endif
