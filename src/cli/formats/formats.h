/* Results for other programs: --report KIND[=FILE] and --json [FILE].
**
**   results ── document ──> json_t, one for each model ── all ──> texts
**               (document.c)                                (one file a kind)
**
** A document is what '--json' prints of one model, and docs/manual.md describes
** it; so does the schema, docs/schema.json.  The other kinds are made from the
** documents alone.  'all' is the object for several models: its 'runs' are the
** documents. */

#ifndef NUT_CLI_FORMATS_FORMATS_H
#define NUT_CLI_FORMATS_FORMATS_H

#include "base/text/text.h"
#include "cli/options.h"
#include <jansson.h>

/* Kind and the function format_KIND that writes it. */
/* clang-format off */
#define FORMATS_FOR_MACHINES(KIND)                                             \
  KIND(json)                                                                   \
  KIND(junit)                                                                  \
  KIND(sarif)                                                                  \
  KIND(github)                                                                 \
  KIND(tap)                                                                    \
  KIND(html)
/* clang-format on */

/* Adds the text for 'all'. */
typedef void format_writer(const json_t *all, text *out);
#define KIND(name) format_writer format_##name;
FORMATS_FOR_MACHINES(KIND)
#undef KIND

typedef struct format_target {
  format_writer *write;
  const char *file; /* "-": the standard output */
} format_target;

typedef struct formats {
  VEC(format_target) targets;
  json_t *all;
  bool several;      /* otherwise JSON is the single document */
  bool pages;        /* documents hold what a page shows of them: 'page' */
  bool traces;       /* documents hold traces, because */
  bool in_json;      /* JSON shows them; or others need them */
  bool takes_output; /* the standard output belongs to one of the files */
} formats;

/* Reads what the options ask for.  False after a complaint: an unknown kind, or
** two documents for the standard output. */
bool formats_open(formats *, const options *, bool several);
/* Takes the document of a model. */
void formats_add(formats *, json_t *document);
/* Writes everything, with what all models say together; false after a
** complaint. */
bool formats_write(formats *, const char *key, const char *word);
void formats_close(formats *);

/* What several models say together: error, violated, unknown, holds. */
nut_verdict worse_verdict(nut_verdict, nut_verdict);

/* ---- for documents ------------------------------------------------------ */

/* A string in which nothing can disturb; null for NULL. */
json_t *json_shown(const char *);
/* The same for text of several lines that is harmless already. */
json_t *json_lines(const char *);
/* Puts a value into an object, which takes it over. */
void json_put(json_t *object, const char *key, json_t *value);
/* The text of a field; "": it has none. */
const char *json_get_text(const json_t *object, const char *key);
/* Adds a document as text; false: no memory. */
bool json_add_document(const json_t *, text *out);

#endif
