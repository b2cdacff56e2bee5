/* Models of several files, for editors.
**
** A file that others include says little by itself: who declares what it uses,
** and who uses what it declares, stands in them.  A unit is a model as it is
** read, the text of each included file behind the line that includes it, so that
** scopes are those of the whole:
**
**   a.pml  |------ #include "h.pml" ------ ... |
**   unit   |------ #include "h.pml"|---h.pml---|------ ... |
**           part 0                  part 1      part 2
**
** The units of a document are those models of the workspace that include it,
** directly or not, and that nobody includes; or it alone.  What the editor has
** open counts, not the file; other files are read below the document's root
** only, wherever links lead.  They are found anew for each question. */

#ifndef NUT_CLI_LSP_UNITS_H
#define NUT_CLI_LSP_UNITS_H

#include "cli/lsp/lsp.h"

typedef struct unit_part {
  document *file;
  uint32_t start;        /* in the unit */
  uint32_t from, length; /* in the file */
} unit_part;

typedef struct unit {
  text content;
  VEC(unit_part) parts; /* in order */
  arena *arena;
  const symbols *names; /* of the content */
} unit;

/* A file of the workspace, and which of the others it includes. */
typedef struct unit_file {
  document *document;
  char *path; /* without links, where it is there at all */
  bool owned; /* the editor does not have it open */
  VEC(uint32_t) includes;
  VEC(uint32_t) places; /* in the file, where the text of each belongs */
} unit_file;

typedef struct unit_set {
  lsp_server *server;
  char *root;            /* without links */
  size_t bytes, entries; /* read so far, of files and folders */
  VEC(unit_file) files;
  VEC(unit) list;
} unit_set;

/* 'related': also those that share a file with one of them, directly or not. */
void units_open(unit_set *, lsp_server *, document *, bool related);
void units_close(unit_set *);
/* The token of a unit at a byte of a file; NO_TOKEN: there is none. */
uint32_t unit_token_at(const unit *, const document *, uint32_t offset);
/* The file of a token, and the byte where it begins there. */
document *unit_file_of(const unit *, uint32_t index, uint32_t *offset);

#endif
