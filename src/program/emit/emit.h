/* The model as C: what runtime/ cannot know.
**
** Emitted are the offsets of the layout, the guards and effects of the edges,
** and the marking of changed components, one function per process type.  The
** meaning is that of the interpreter, with the same successors in the same
** order; but where the interpreter would report a fault, and for operators
** that are rare, the emitted code gives up (NUT_BAIL) and the interpreter is
** asked.  So there is one place that defines what a model means.
**
** The text is complete C for gcc or clang, the files of runtime/ included, and
** depends on nothing but the model and the options of the program. */

#ifndef NUT_PROGRAM_EMIT_EMIT_H
#define NUT_PROGRAM_EMIT_EMIT_H

#include "base/text/text.h"
#include "program/program.h"

/* Adds the text to 'out' and answers NULL; or answers why the model must be
** interpreted (a string that lives forever). */
const char *emit_model(const program *, text *out);

#endif
