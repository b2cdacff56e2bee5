/* The document of a run: what '--json' prints of one model. */

#ifndef NUT_CLI_FORMATS_DOCUMENT_H
#define NUT_CLI_FORMATS_DOCUMENT_H

#include "cli/options.h"
#include <jansson.h>

/* Of a result, with how it was asked for: options, macros, texts of the model,
** and, when 'traces', its runs. */
json_t *document_of_result(const options *, nut_workspace *, const nut_result *,
                           bool traces);
/* Of a model without a result: it could not be read, or what was asked for is
** not there.  'messages' is what people were told. */
json_t *document_of_error(const options *, nut_workspace *, nut_verdict,
                          const char *messages);

#endif
