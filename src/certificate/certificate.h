/* Certificates: a proof that properties hold, for somebody else to check
** (certify/).  It has the model as text (model_text.h), all reachable states in
** order (state_run.h), for each property of infinite runs the states of its
** product with ranks (run_ranks.h), and what is claimed of all that.
**
** It is always of the plain program: no reduction, no merging, all variables.
** So it is made by a search of its own. */

#ifndef NUT_CERTIFICATE_CERTIFICATE_H
#define NUT_CERTIFICATE_CERTIFICATE_H

#include "search/search.h"

typedef struct certificate_order {
  program *program;           /* plain */
  const answer_list *answers; /* to what was asked */
  const nut_options *options; /* of the check */
  limits *limits;
  const char *file;   /* the model's */
  const char *source; /* hash of its text */
  const char *version;
} certificate_order;

typedef struct certificate_figures {
  uint64_t states;
  uint64_t bytes;
  uint64_t product_states, rank_bytes; /* of infinite runs */
  uint32_t left_out; /* properties that hold and are not in it */
} certificate_figures;

/* Why there is no certificate of what is asked; NULL: there can be one. */
const char *certificate_refused(const model *, const nut_options *);
/* Makes it.  Answers NULL, or why that was not possible. */
const char *certificate_write(const certificate_order *, nut_sink *,
                              void *context, certificate_figures *);
#endif
