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

#include "base/text/text.h"
#include "base/vec.h"
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
/* From now on only files that lie in, or below, the folder are opened, when all
** symbolic links are followed; the others are as if they were not there. */
void sources_confine(sources *, const char *folder);
bool source_may_open(const sources *, const char *path);
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
/* The same place in the file that a part was taken from, or that a text was
** made from (see below). */
span source_origin(const sources *, span);
/* The bytes of a file, followed by a 0; valid as long as 'sources'. */
const char *source_text(const sources *, uint32_t file, size_t *length);
const char *source_name(const sources *, uint32_t file);
uint32_t source_find(const sources *, const char *path); /* 0 = not read */
/* How many there are: they are numbered 1 .. that many. */
uint32_t source_count(const sources *);
/* Whether it is a file of the system, though perhaps one that is not shown; not
** a text from memory, a part, a text made of others, or a name. */
bool source_is_file(const sources *, uint32_t file);

/* ---- files as they were ----
**
** A model can be read again from what it was read from, without any file: its
** files, those of them that must not be shown, and what preprocessors of the
** system made of them.  A preprocessor is known by a hash of what it was asked.
*/
typedef enum { KEPT_FILE, KEPT_HIDDEN, KEPT_OUTPUT, KEPT_MESSAGES } kept_kind;

typedef struct kept_text {
  kept_kind kind;
  const char *name, *text;
  size_t length;
} kept_text;

/* From now on all is read from these, and no file is opened; they belong to the
** caller, as long as there are sources. */
void sources_take(sources *, const kept_text *, size_t count);
bool sources_are_taken(const sources *);
/* One of them; NULL: there is none.  Of a file also one that is not shown. */
const kept_text *source_taken(const sources *, kept_kind, const char *name);
const kept_text *source_taken_file(const sources *, const char *name);
/* Notes a copy of a text that is no source, unless it is known. */
void source_keep(sources *, kept_kind, const char *name, const char *bytes,
                 size_t length);
/* The index-th of all that was read and noted so far; its name is NULL when there
** are no more. */
kept_text source_kept_at(const sources *, size_t index);

/* ---- texts made of others ----
**
** A preprocessor makes one text of the files of a model.  Front ends read that
** text, and the spans they keep lie in it; all who show a place ask where it
** comes from.  There are two answers when a macro was used:
**
**   #define go (trun == 1)      'trun' is written here: source_written
**   go -> turn = 2              and stems from the use here: source_origin
**
** Statements are known by their origin, so that they lie one behind the other;
** a diagnostic shows what is written, and in notes the uses of macros. */

typedef struct source_use {
  span where;        /* the name of the macro, and its arguments */
  const char *macro; /* lives as long as 'sources' */
  uint32_t around;   /* the use whose expansion this one is in; 0: none */
} source_use;

/* What stands between 'start' and the next piece: the bytes of 'from', and
** perhaps blanks behind them. */
typedef struct source_piece {
  uint32_t start;
  uint32_t use : 31;  /* the use of a macro that it comes from; 0: none */
  uint32_t whole : 1; /* other bytes; all of it comes from all of 'from' */
  span from;
} source_piece;

/* Pieces are sorted by 'start'; the uses are numbered from 1, 'around' is less
** than the number of a use. */
typedef struct source_recipe {
  VEC(source_piece) pieces;
  VEC(source_use) uses;
} source_recipe;

/* Adds a made text.  Takes the text and the recipe, which are empty afterwards;
** 0, when the text is longer than 64 MiB, and nothing was taken. */
uint32_t source_add_made(sources *, const char *name, text *, source_recipe *);
/* The text that was made of a file and what it includes; 0: none was. */
uint32_t source_made_of(const sources *, uint32_t file);
/* Where the text at this place is written. */
span source_written(const sources *, span);
/* The uses of the made text that a span lies in, and the one that its first
** byte comes from; NULL and 0 when it lies in none. */
const source_use *source_uses(const sources *, span, uint32_t *use);

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

/* Collects what is wrong with an input, in the order of the source, each error
** and warning with its notes behind it.  After DIAG_MAX errors the rest is
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
/* Forgets all but the first 'kept' diagnostics; no error was dropped from them,
** and what came after them lies in sources that came after theirs. */
void diags_cut(diags *, size_t kept);
/* Adds notes about the uses of macros that lead to what is written at a place,
** the innermost first: it stems from the use 'use' of the list. */
void diag_note_uses(diags *, const source_use *uses, uint32_t use,
                    span written);
/* All diagnostics as text, in the form shown above. */
void diags_print(const diags *, text *out);

#define diag_error(d, where, ...) diag_report(d, DIAG_ERROR, where, __VA_ARGS__)
#define diag_warn(d, where, ...)                                               \
  diag_report(d, DIAG_WARNING, where, __VA_ARGS__)
#define diag_note(d, where, ...) diag_report(d, DIAG_NOTE, where, __VA_ARGS__)

#endif
