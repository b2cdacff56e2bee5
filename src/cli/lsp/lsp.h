/* The language server: what an editor asks of a model while it is written.
**
**   editor ── rpc ──> lsp.c ──> documents.c    texts, positions, folders
**                          ──> lsp_names.c     what names mean: hover, outline...
**                          ──> lsp_shared.c    in all files of a model: rename...
**                          ──> lsp_check.c     diagnostics; checks, by threads
**
** A document is the text that the editor has, not the file.  Of the system only
** files below the folders of the workspace are opened, no C of a model is run,
** and no plug-in is loaded. */

#ifndef NUT_CLI_LSP_LSP_H
#define NUT_CLI_LSP_LSP_H

#include "base/text/text.h"
#include "base/vec.h"
#include "cli/lsp/symbols.h"
#include "cli/serve/rpc.h"
#include "nutshell.h"

typedef struct document {
  char *uri, *path; /* the path is the URI where that names no file */
  nut_language language;
  char *content;
  size_t length;
  json_int_t version;
  bool dirty;          /* its diagnostics are old */
  VEC(uint32_t) lines; /* where each begins */
  arena *arena;        /* of the names */
  symbols *names;      /* NULL: not looked at yet */
  char *verdict;       /* of the last check, for its lens; or NULL */
} document;

typedef struct check_job check_job;

typedef struct lsp_server {
  rpc rpc;
  bool utf8;      /* columns are bytes; otherwise units of UTF-16 */
  bool shows;     /* the editor can show a document */
  bool refreshes; /* and ask for lenses again */
  bool shut, over;
  int sent; /* requests of ours */
  double seconds;
  VEC(char *) roots; /* folders of the workspace */
  VEC(document *) documents;
  VEC(check_job *) jobs;
  char folder[64];      /* for traces that are shown; "": none */
  pthread_mutex_t lock; /* of what jobs leave behind */
} lsp_server;

/* documents.c */
document *document_open(lsp_server *, const char *uri, const char *content,
                        size_t length);
/* One that the editor does not have open. */
document *document_make(const char *uri, const char *content, size_t length);
document *document_find(const lsp_server *, const char *uri);
void document_set(document *, const char *content, size_t length);
void document_close(lsp_server *, document *);
void document_free(document *);
const symbols *document_names(document *);
/* Between places of the protocol and bytes. */
uint32_t offset_of(const lsp_server *, const document *,
                   const json_t *position);
json_t *position_of(const lsp_server *, const document *, uint32_t offset);
json_t *range_of(const lsp_server *, const document *, uint32_t from,
                 uint32_t end);
uint32_t document_line(const document *, uint32_t offset); /* from 0 */
/* The bytes of a place of the library, lines and columns from 1. */
uint32_t offset_at(const document *, uint32_t line, uint32_t column);
/* The path that a URI names, for 'free'; NULL: none; and back. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);
bool path_lies_in(const char *path, const char *folder);
/* The folder that a model may read files from: of the workspace, or its own. */
const char *document_root(const lsp_server *, const document *,
                          char folder[4096]);

/* lsp_names.c, lsp_shared.c: each returns a result. */
json_t *names_hover(lsp_server *, document *, uint32_t offset);
json_t *names_definition(lsp_server *, document *, uint32_t offset);
json_t *names_references(lsp_server *, document *, uint32_t offset,
                         bool with_declaration);
json_t *names_highlight(lsp_server *, document *, uint32_t offset);
json_t *names_outline(lsp_server *, document *);
json_t *names_completion(lsp_server *, document *, uint32_t offset);
json_t *names_prepare_rename(lsp_server *, document *, uint32_t offset);
/* NULL with '*why', for people, when it cannot be done. */
json_t *names_rename(lsp_server *, document *, uint32_t offset,
                     const char *name, const char **why);
json_t *names_format(lsp_server *, document *);
/* What a symbol is that is declared at a byte of a document, for people. */
void names_add_symbol(const document *, uint32_t start, const symbol *,
                      bool dve, text *);
void names_offer(json_t *list, const symbol *);

/* lsp_shared.c: the same where the name is declared in another file. */
json_t *shared_definition(lsp_server *, document *, uint32_t offset);
json_t *shared_hover(lsp_server *, document *, uint32_t offset);
void shared_completion(lsp_server *, document *, bool field, bool label,
                       json_t *list);

/* lsp_check.c */
void check_publish(lsp_server *, document *);
json_t *check_lenses(lsp_server *, document *);
/* Begins a check, whose thread answers the request; false: there are too many. */
bool check_begin(lsp_server *, const json_t *id, document *,
                 const char *property);
void check_cancel(lsp_server *, const json_t *id); /* NULL: all of them */
void check_finish(lsp_server *);                   /* waits for all */
/* Gives back those that are done. */
void check_collect(lsp_server *);

#endif
