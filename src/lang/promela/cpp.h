/* Directives ('#define', '#include', '#if') by the system's C preprocessor, for
** those who ask for it; it is run only when a model has some.  The one of our
** own is in preprocess/. */

#ifndef NUT_LANG_PROMELA_CPP_H
#define NUT_LANG_PROMELA_CPP_H

#include "base/arena.h"
#include "base/source/source.h"
#include "base/text/text.h"
#include "lang/promela/map.h"
#include <stdbool.h>
#include <stdint.h>

/* The folder of the model, where it finds what it includes; NULL, which is
** where we are, when it has none of its own (a pipe, text from elsewhere). */
const char *pml_folder_of(arena *, const char *path);

/* Is there a line that begins with '#'? */
bool pml_has_directives(const char *text, size_t length);

/* What is to be preprocessed, and how. */
typedef struct pml_cpp {
  uint32_t file;
  uint32_t macros;         /* a source whose macros hold, too; or 0 */
  const char *const *args; /* of the user: "-DN=3", "-UN", "-Idir" */
  uint32_t arg_count;
} pml_cpp;

/* Runs the preprocessor.  True: 'out' has its output, with line markers, and
** 'folders' tells what names in them mean.  False: 'diags' says why.
**
** The text is given to it as standard input, so that no name of a file is a
** word of its command line (see base/system/path.h); it runs in the folder of
** the file, where it finds what is included, as if it had opened the file. */
bool pml_preprocess(arena *, sources *, diags *, const pml_cpp *,
                    pml_folders *folders, text *out);

#endif
