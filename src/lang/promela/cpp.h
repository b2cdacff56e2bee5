/* Directives ('#define', '#include', '#if') are the business of the system's C
** preprocessor, which is run only when a model has some. */

#ifndef NUT_PROMELA_CPP_H
#define NUT_PROMELA_CPP_H

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>

/* Is there a line that begins with '#'? */
bool pml_has_directives(const char *text, size_t length);

/* Runs the preprocessor over a source, with extra arguments such as "-DN=3".
** True: 'out' has its output, with line markers.  False: 'diags' says why. */
bool pml_preprocess(arena *, sources *, diags *, uint32_t file,
                    const char *const *args, uint32_t arg_count, text *out);

#endif
