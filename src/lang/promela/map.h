/* From the output of the C preprocessor back to the files the user wrote.
**
** Line markers say exactly which line of which file an output line comes from.
** The column is found by walking along the original line: a token that stands
** there is found at its place; a token that does not comes from a macro, and
** points to the macro's use. */

#ifndef NUT_LANG_PROMELA_MAP_H
#define NUT_LANG_PROMELA_MAP_H

#include "base/arena.h"
#include "base/source/source.h"

/* How the preprocessor calls files, and how we call them.  It runs in the
** folder of the model and knows the folders of '-I' by their absolute names;
** the user sees what he wrote. */
typedef struct pml_folder {
  const char *absolute; /* with a '/' at its end */
  const char *written;
} pml_folder;

typedef struct pml_folders {
  const char *model; /* as written, with a '/' at its end; NULL: none */
  uint32_t count;
  const pml_folder *list;
} pml_folders;

/* Our name for a file that the preprocessor calls 'name'. */
const char *pml_written_name(const pml_folders *, arena *, const char *name);

typedef struct pml_map {
  arena *mem;
  sources *sources;
  const pml_folders *folders;
  uint32_t main_file;
  uint32_t file, line; /* of the current output line */
  bool loaded;         /* the fields below belong to that line */
  const char *text;    /* of the file */
  const char *stop;    /* end of the original line */
  const char *cursor;  /* up to here the line was matched with tokens */
  const char *macro, *macro_end; /* the macro use at work, or NULL */
} pml_map;

void pml_map_start(pml_map *, arena *, sources *, const pml_folders *,
                   uint32_t main_file);
/* The output line is over. */
void pml_map_newline(pml_map *);
/* A line of output that begins with '#'. */
void pml_map_marker(pml_map *, const char *line, const char *stop);
/* Where the next token of the output line stands in the user's file. */
span pml_map_token(pml_map *, const char *text, size_t length);

#endif
