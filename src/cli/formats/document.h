/* The document of a run: what '--json' prints of one model. */

#ifndef NUT_CLI_FORMATS_DOCUMENT_H
#define NUT_CLI_FORMATS_DOCUMENT_H

#include "cli/options.h"
#include <jansson.h>

/* Of a result, with how it was asked for: options, macros, texts of the model,
** and, when 'traces', its runs. */
json_t *document_of_result(const options *, nut_workspace *, const nut_result *,
                           bool traces);
/* Adds 'page', what a page for people shows: the report, the texts of the model,
** charts of the runs, and statements that are never executed.  The result may be
** NULL. */
void document_add_page(json_t *document, nut_workspace *, nut_result *);
/* Of a model without a result: it could not be read, or what was asked for is
** not there.  'messages' is what people were told. */
json_t *document_of_error(const options *, nut_workspace *, nut_verdict,
                          const char *messages);

#endif
