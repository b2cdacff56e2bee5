/* Plug-ins: from a shared object to a model (include/nutshell-model.h).
**
** What a plug-in says of itself becomes the frame of a model in Promela, with
** variables, processes and properties but without steps; reading that gives
** names, conditions and formulas as everywhere.  Then its edges get the steps.
** It is no language of its own folder, since it stands on another one. */

#ifndef NUT_API_PLUGIN_H
#define NUT_API_PLUGIN_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "model/model.h"

/* Loads the shared object 'path', which runs its code.  'words' are parameters
** for it, "-DN=3".  NULL with diagnostics.  Otherwise as 'promela_read'; the
** plug-in is closed when the model is destroyed. */
model *plugin_read(arena *, names *, sources *, diags *, const char *path,
                   const char *const *words, uint32_t count);

extern const model_language plugin_facts;

#endif
