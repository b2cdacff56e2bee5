/* A check or a count on several ranks (docs/internals/ranks.md): whether it can
** be, and whether all ranks are asked the same of the same model.  What cannot
** be done by all together is refused before any search: it would be done by
** each of them. */

#ifndef NUT_VERIFY_RANKED_RANKED_H
#define NUT_VERIFY_RANKED_RANKED_H

#include "verify/verification.h"

/* False, with messages, when it cannot be done.  Without ranks always true. */
bool ranked_start(verification *, const nut_options *, bool count);
/* The search is one of all ranks. */
void ranked_attach(const nut_options *, search_options *);

#endif
