/* What the handles of nutshell.h hold; those of a workspace are in
** workspace.h. */

#ifndef NUT_API_HANDLE_H
#define NUT_API_HANDLE_H

#include "nutshell.h"
#include "report/account.h"
#include "verify/verification.h"

struct nut_trace {
  story *story;
  const char *property; /* name of what it shows, or NULL */
  const char *name;     /* its own */
  const char **file;    /* where its report tells that it was written */
};

struct nut_result {
  verification asked;    /* and answered */
  account account;       /* of its outcome, for reports */
  VEC(nut_trace) traces; /* of all answers, one after the other */
  VEC(size_t) first;     /* of each answer, and the end of the last */
};

/* A place of the public header. */
nut_place place_of_span(const sources *, span);
/* The model read once more, for somebody who changes it; NULL: that failed.  It
** belongs to the caller, who calls 'model_destroy' before the handle is freed. */
model *handle_read_again(nut_model *);

#endif
