/* GASTON, the small language of the sharing-tree paper (Gregoire and
** Zampunieris, 1996), whose syntax was never published: ours is defined in
** docs/gaston.md.  From a file to a model. */

#ifndef NUT_LANG_GASTON_GASTON_H
#define NUT_LANG_GASTON_GASTON_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "model/model.h"

typedef struct gst_options {
  const char *const *args; /* "-DN=3": the constant N is 3 */
  uint32_t arg_count;
} gst_options;

/* Reads, resolves and lowers the model in the source 'file', and checks it.
** NULL when there are errors; they are in 'diags'.  What is returned lives in
** the arena, is to be given to 'model_destroy', and needs 'names' and
** 'sources' as long as it lives. */
model *gst_read(arena *, names *, sources *, diags *, uint32_t file,
                const gst_options *options);

/* Reads a condition over a loaded model from the source 'file' (text of the
** command line): globals, P.variable, P@label.  NULL on errors. */
expr *gst_read_condition(model *, diags *, uint32_t file);
extern const model_language gst_facts;

#endif
