/* What others wrote, on its way to a terminal or into the name of a file.
**
** Names, formulas and texts of a model may hold anything: line breaks that
** forge rows of a report, control characters that move the cursor, marks that
** turn the direction of what follows, bytes that are no characters at all.
** This is the one place that says which characters are harmless:
**
**   harmless   printable ASCII and well-formed UTF-8 beyond it
**   escaped    U+0000..1F, 7F..9F, the marks of direction (U+061C, 200E, 200F,
**              202A..202E, 2066..2069), line separators (U+2028, 2029), and
**              every byte that belongs to no well-formed character
**
** A model has harmless names: 'model_check' and 'model_add_property' see to
** that, sources do it for the names of files, and diagnostics for the lines
** they show.  What is shown once may be shown again: nothing changes. */

#ifndef NUT_BASE_SOURCE_SHOWN_H
#define NUT_BASE_SOURCE_SHOWN_H

#include "base/arena.h"
#include "base/text/text.h"
#include <stdbool.h>

/* Bytes of the character at 'p', which is before 'end'; 0: not harmless. */
size_t shown_bytes(const char *p, const char *end);
/* The escape of a character that is not harmless; returns the bytes it had. */
enum { SHOWN_ESCAPE = 8 };
size_t shown_escape(const char *p, const char *end, char escape[SHOWN_ESCAPE]);
/* Adds 'n' bytes; what is not harmless as \n, \t, \x1b, \u202e. */
void text_add_shown(text *, const char *bytes, size_t n);
/* The string itself, or a copy that is harmless.  NULL stays NULL. */
const char *shown(arena *, const char *string);
/* A part of the name of a file: what is not a letter of ASCII, a digit or one
** of "_.-" is '_', so is a '.' or '-' at its beginning; long ones are cut. */
const char *shown_file_part(arena *, const char *string);

#endif
