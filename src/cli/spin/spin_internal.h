/* The parts of the command 'spin'.  All return exit statuses of SPIN: 0, also
** when there are errors in the model's behaviour; 1 when nothing could be done.
*/

#ifndef NUT_CLI_SPIN_SPIN_INTERNAL_H
#define NUT_CLI_SPIN_SPIN_INTERNAL_H

#include "cli/spin/request.h"

enum { SPIN_DONE = 0, SPIN_FAILED = 1 };

#define SPIN_BANNER "Spin Version 6.5.2 -- 6 December 2019"

/* Opens the model of the request; NULL after its messages. */
nut_workspace *spin_open(const spin_request *);
/* The same of a text in its place that was read before. */
nut_workspace *spin_open_text(const spin_request *, const text *);
/* Claims of the model: 'ltl' and 'never'. */
bool spin_is_claim(const nut_question *);
size_t spin_claim_count(nut_workspace *);
/* The name of the file without its folders: trails lie where pan runs. */
const char *spin_base_name(const char *file);

/* A search with the report of pan. */
int spin_search(const spin_request *);
/* Writes pan.c and the files beside it. */
int spin_write_pan(const spin_request *);
/* A run by chance or by hand; a trail. */
int spin_simulate(const spin_request *);
int spin_replay(const spin_request *);

#endif
