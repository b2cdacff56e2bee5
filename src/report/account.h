/* An account of an outcome: its answers, with their runs made ready to be told.
** All reports of results are made from it. */

#ifndef NUT_REPORT_ACCOUNT_H
#define NUT_REPORT_ACCOUNT_H

#include "report/story.h"
#include "verify/outcome.h"

/* The story of an 'answer_branch'.  Steps are given by their numbers; 0 is the
** start. */
typedef struct told_branch {
  story *story;
  uint32_t step;          /* it leaves its parent after this one */
  size_t first;           /* index of the first step that is its own */
  const char *trace_file; /* where it was written, or NULL */
} told_branch;

/* An 'answer_note': true after each of these steps. */
typedef struct told_note {
  uint32_t first, last;
} told_note;

/* The story of a 'violation', or NULL. */
typedef struct told_violation {
  story *story;
  const char *trace_file; /* where it was written, or NULL */
} told_violation;

typedef struct told_answer {
  const answer *answer;
  story *story;           /* of the trace, or NULL */
  const char *trace_file; /* where it was written, or NULL */
  story *other;           /* likewise */
  const char *other_file;
  /* As many as the answer has; the first one is the story above, and has no
  ** other. */
  told_violation *violations;
  /* As many as in the answer's tree; the first branch is the story above. */
  told_branch *branches;
  told_note *notes;
} told_answer;

typedef struct account {
  const outcome *outcome; /* outlives the account */
  arena *arena;
  VEC(told_answer) answers;
} account;

/* Tells the runs of an outcome.  One for which memory does not suffice is left
** out; when it runs out before (see mem_protect), the account can be freed. */
void account_tell(account *, const outcome *);
void account_free(account *);
/* Why the run of an answer is not told though there is one; NULL: it is, or
** there is none. */
const char *account_untold(const told_answer *);

/* Tells of a process that did not come out of an atomic sequence, one line
** without its end; nothing when there is none. */
void account_add_hint(const outcome *, text *out);
/* The command that goes on with a run that is kept in files; nothing where there
** is none. */
void account_add_resume(const outcome *, text *out);

#endif
