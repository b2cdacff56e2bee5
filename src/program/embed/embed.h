/* C that is embedded in a model, compiled when the model is loaded.
**
** The texts of 'model.c_code' become one shared object, together with the
** model's variables as C variables and what copies them from a state and back
** (runtime/embed.h).  The compiler also tells how large its own variables are;
** only then the layout of states can be made.
**
** Embedded C runs in this process with all its rights: whoever loads a model
** must have been told that it may (nutshell check --allow-c). */

#ifndef NUT_PROGRAM_EMBED_EMBED_H
#define NUT_PROGRAM_EMBED_EMBED_H

#include "base/limits.h"
#include "base/text/text.h"
#include "model/model.h"

typedef struct embedded embedded;
struct nut_run;

/* Compiles and loads the C of a model that has been checked, if it has any,
** into 'model.embedded'.  False, with diagnostics at the places in the model,
** when there is no compiler, when it complains, or when a limit (there may be
** none: NULL) is reached before it is done. */
bool embed_build(model *, limits *, diags *);
void embed_close(embedded *);

/* For native code, of which 'nut_run.embed_host' is the worker. */
int embed_from_native(struct nut_run *, uint32_t code, uint8_t *state,
                      uint32_t process, uint32_t self, uint32_t type);

/* The C text, complete for gcc or clang. */
void embed_emit(const model *, text *out);

#endif
