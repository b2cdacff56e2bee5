/* Labelled Petri nets ('.lpn', of ATACS and of LEMA/iBioSim) and signal
** transition graphs ('.g'): from files to a model.  docs/lpn.md says what they
** mean here. */

#ifndef NUT_LANG_LPN_LPN_H
#define NUT_LANG_LPN_LPN_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "lang/lpn/signal_codes.h"
#include "model/model.h"
#include <stdbool.h>
#include <stddef.h>

/* Reads, composes and lowers the nets in the sources 'files', one module each,
** and checks the model.  'strict' reads them as '.g' files.  NULL when there
** are errors; they are in 'diags'. */
model *lpn_read(arena *, names *, sources *, diags *, const uint32_t *files,
                size_t count, bool strict);

/* Reads a condition over a loaded model: variables, signals, places. */
expr *lpn_read_condition(model *, diags *, uint32_t file);
extern const model_language lpn_facts, stg_facts;

/* Of a model read by 'lpn_read': its codes; NULL when it has none. */
const net_coding *lpn_coding_of(const model *);

#endif
