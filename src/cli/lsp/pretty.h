/* The formatter: lines get the indentation that their nesting asks for, blanks
** at their ends and empty lines beyond one go, and in Promela a separator is
** followed by a blank.  Nothing else is touched: no line is joined or split,
** comments stay as they are, and so do lines for the preprocessor.  What is
** formatted already stays as it is. */

#ifndef NUT_CLI_LSP_PRETTY_H
#define NUT_CLI_LSP_PRETTY_H

#include "base/text/text.h"
#include <stdbool.h>

void pretty_print(const char *source, size_t length, bool dve, text *out);

#endif
