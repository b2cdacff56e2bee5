/* What the handles of nutshell.h hold.  The command line looks in here where
** the public interface is not enough (simulation, drawings). */

#ifndef NUT_API_HANDLE_H
#define NUT_API_HANDLE_H

#include "nutshell.h"
#include "report/account.h"
#include "verify/verification.h"

struct nut_trace {
  story *story;
  const char *property; /* name of what it shows */
};

struct nut_result {
  verification asked;    /* and answered */
  account account;       /* of its outcome, for reports */
  VEC(nut_trace) traces; /* of each answer, without story when it has none */
};

/* The model read once more, for somebody who changes it; NULL: that failed.  It
** belongs to the caller, who calls 'model_destroy' before the handle is freed. */
model *nut_read_again(nut_model *);

#endif
