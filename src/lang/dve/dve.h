/* DVE, the language of DiVinE and of the BEEM benchmark: from a file to a
** model.  Files named '.mdve' go through m4 first.
**
** What the language means here, where its tools differ or say little:
** 'int' has 16 bits, 'byte' 8; assignments wrap.  In a handshake the receiver
** gets the value, then come the effects of the sender, then its own. */

#ifndef NUT_LANG_DVE_DVE_H
#define NUT_LANG_DVE_DVE_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "model/model.h"

typedef struct dve_options {
  const char *const *m4_args; /* "-DN=3" */
  uint32_t m4_arg_count;
} dve_options;

/* Reads, resolves and lowers the model in source 'file', and checks it.
** NULL when there are errors; they are in 'diags'.  What is returned lives in
** the arena, is to be given to 'model_destroy', and needs 'names' and
** 'sources' as long as it lives.  'options' may be NULL. */
model *dve_read(arena *, names *, sources *, diags *, uint32_t file,
                const dve_options *options);

/* Reads a condition over a loaded model from the source 'file' (text of the
** command line): globals, P.state, P->variable.  NULL on errors. */
expr *dve_read_condition(model *, diags *, uint32_t file);
extern const model_language dve_facts;

#endif
