/* Source files, spans and diagnostics, shared by all languages.
**
** A span is 12 bytes: file, first byte, length.  Line and column are computed
** only when something is printed.  Positions refer to the file as the user
** wrote it; a language that reads preprocessed text maps them back to the
** original file with 'source_find' and 'source_line_start'.
**
**   peterson.pml:3:10: error: 'trun' is not declared
**       3 |   turn = trun;
**         |          ^~~~
**   peterson.pml:1:6: note: the nearest name is 'turn'
*/

#ifndef NUT_BASE_SOURCE_SOURCE_H
#define NUT_BASE_SOURCE_SOURCE_H

#include "base/text.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct span {
  uint32_t file;  /* index into the source set; 0 = no file */
  uint32_t start; /* byte offset in that file */
  uint32_t length;
} span;

#define NO_SPAN ((span){0, 0, 0})

typedef struct sources sources;

sources *sources_create(void);
void sources_destroy(sources *);

/* Reads a file (refuses directories, and files over 64 MiB).  Returns its
** index, or 0 with '*error' set to a text that lives as long as 'sources'. */
uint32_t source_read(sources *, const char *path, const char **error);
/* ---- what may be shown ----
**
** A model is written by somebody else, and may make a preprocessor read any
** file of the user's.  Such a file belongs to the model, as SPIN has it, but it
** is not shown: a diagnostic at a place in it tells the place alone, nothing is
** cited from it, and front ends give other names to what is named only there.
** What the user names himself may be shown, and so may files that lie in, or
** below, the folders given to 'source_show_folder' (the folder of the model and
** those of '-I'), when all symbolic links are followed.
**
** A file that is not shown is not read either.  It is a label: a name and lines
** without text.  So is a name that a model makes up ('#line 3 "x"'). */
void source_show_folder(sources *, const char *folder);
/* Adds a file that a preprocessor has read, or finds it.  Only a plain file is
** read, because opening a pipe or a device may not come back; what cannot be
** read is not shown.  0 when there are too many. */
uint32_t source_include(sources *, const char *path);
/* Adds a name from a model, or finds it; 0 when there are too many. */
uint32_t source_add_label(sources *, const char *name);
/* Somebody has read more than we know of: from now on all is as if a file that
** must not be shown were among the sources. */
void source_distrust(sources *);
bool source_is_label(const sources *, uint32_t file);
/* Must this one not be shown?  Is there one? */
bool source_is_hidden(const sources *, uint32_t file);
bool source_hides(const sources *);
/* Adds a copy of text that is not in a file (a formula on the command line).
** Returns its index, or 0 when it is longer than 64 MiB. */
uint32_t source_add(sources *, const char *name, const char *text, size_t n);
/* Adds a part of a file as a source of its own, for those who read whole ones:
** positions in it are positions in that file. */
uint32_t source_add_part(sources *, span part);
/* The same place in the file that a part was taken from. */
span source_origin(const sources *, span);
/* The bytes of a file, followed by a 0; valid as long as 'sources'. */
const char *source_text(const sources *, uint32_t file, size_t *length);
const char *source_name(const sources *, uint32_t file);
uint32_t source_find(const sources *, const char *path); /* 0 = not read */

typedef struct position {
  const char *name; /* as it is shown: see base/source/shown.h */
  /* From 1, columns in bytes; 0 when unknown.  A span in a label counts
  ** lines instead of bytes: (file, line - 1, 1). */
  uint32_t line, column;
} position;
position source_position(const sources *, span);
/* Byte offset of the start of a line (from 1), clamped to the file's end. */
uint32_t source_line_start(const sources *, uint32_t file, uint32_t line);
/* Adds the text a span covers to 'out', each line break with the blanks around
** it as one blank. */
void source_excerpt(const sources *, span, text *out);

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } diag_level;

typedef struct diagnostic {
  diag_level level;
  span where;
  char *message;
} diagnostic;

/* Collects what is wrong with an input.  After DIAG_MAX errors the rest is
** dropped and 'diags_full' answers true: parsers then give up.  Long messages
** (a name of a megabyte) lose their middle. */
enum { DIAG_MAX = 20 };
typedef struct diags diags;

diags *diags_create(sources *); /* keeps a reference to the sources */
void diags_destroy(diags *);
void diag_report(diags *, diag_level, span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_vreport(diags *, diag_level, span, const char *format, va_list);
size_t diags_errors(const diags *);
size_t diags_count(const diags *);
const diagnostic *diags_get(const diags *, size_t);
bool diags_full(const diags *);
/* All diagnostics as text, in the form shown above. */
void diags_print(const diags *, text *out);

#define diag_error(d, where, ...) diag_report(d, DIAG_ERROR, where, __VA_ARGS__)
#define diag_warn(d, where, ...)                                               \
  diag_report(d, DIAG_WARNING, where, __VA_ARGS__)
#define diag_note(d, where, ...) diag_report(d, DIAG_NOTE, where, __VA_ARGS__)

#endif
