/* Where the memory of a run went, and what to do when it did not suffice. */

#ifndef NUT_REPORT_MEMORY_USE_H
#define NUT_REPORT_MEMORY_USE_H

#include "base/text/text.h"
#include "verify/outcome.h"

/* "  memory: store 37.0 MiB, stack 290 MiB, the rest 4.1 MiB\n" */
void memory_print(const outcome *, text *out);

/* Of a run that memory has ended: the largest part, and what takes less; one
** line without its end.  Nothing for others. */
void memory_add_advice(const outcome *, text *out);

#endif
