/* Formulas of the command line: LTL over conditions of the model's language. */

#ifndef NUT_API_FORMULA_H
#define NUT_API_FORMULA_H

#include "api/handle.h"
#include "model/temporal.h"

/* Reads a formula; 'name' is what messages call it.  NULL with diagnostics of
** the model. */
const temporal *formula_read(nut_model *, const char *name, const char *string);

#endif
