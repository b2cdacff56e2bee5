/* The answer to a question: engines and the plan fill it, reports render it and
** find nothing out.
**
** An answer owns its traces. */

#ifndef NUT_VERIFY_ANSWER_H
#define NUT_VERIFY_ANSWER_H

#include "base/limits.h"
#include "base/verdict.h"
#include "reduce/reduce.h"
#include "search/trace/trace.h"
#include "verify/question.h"

/* A run that leaves another one to show more of the reason for an answer, and
** what is true of all runs from some states of a run, which none can show; see
** symbolic/ctl/ctl_tree.h.  States are counted along the run; 0 is the initial
** one. */
typedef struct answer_branch {
  trace *trace;        /* from the initial state on */
  const char *formula; /* what it shows */
  size_t parent;       /* the branch that it leaves, */
  size_t fork;         /* in this state of both */
} answer_branch;

typedef struct answer_note {
  const char *formula;
  size_t branch;
  size_t first, last; /* true in these states of it, and between */
} answer_note;

/* The first branch is the trace of the answer. */
typedef struct answer_tree {
  VEC(answer_branch) branches;
  VEC(answer_note) notes;
  bool cut; /* it was not worth while to show all */
} answer_tree;

/* How a formula of branching time was checked, or a question about a net was
** answered without a state space. */
typedef enum {
  METHOD_NONE,
  METHOD_EXPLICIT,
  METHOD_SYMBOLIC,
  METHOD_WALK,
  METHOD_EQUATION,
  METHOD_SMALLER /* on a net made smaller by structural reductions */
} answer_method;

/* A place where steps fail: an assertion, an index, a division. */
typedef struct violation {
  fault_kind kind;
  uint32_t edge; /* the statement */
  span where;    /* the part of it that failed */
  uint64_t errors;
  trace *trace; /* NULL: of the first it is that of the answer; or none */
} violation;

typedef VEC(violation) violation_list;

enum { VIOLATIONS_MAX = 100 }; /* places that are told apart */

typedef struct answer {
  const question *question;
  verdict verdict;
  reason reason;      /* REASON_NONE unless 'verdict' is unknown */
  const char *why;    /* the reason in words that tell more, or NULL */
  bool by_definition; /* the language rules out that it is violated */
  uint64_t errors;    /* violations (PROPERTY_REACH: witnesses) found */
  bool has_value;     /* an upper bound: it is 'value' */
  uint64_t value;
  violation_list violations; /* of steps, in order of discovery */
  trace *trace;              /* of the first, or NULL */
  reason untold;             /* REASON_NONE, or why that is not there */
  trace *other;              /* of pairs of states: to the second, or NULL */
  answer_tree *tree;         /* of branching time, not ours; or NULL */
  /* What is wrong at the end of the trace, where there is more to say than
  ** the trace itself does; or NULL. */
  const char *ending;
  answer_method method;
  /* Of infinite runs: how the search for it was reduced, and, when it was asked
  ** for in vain, why not. */
  reduce_kind por;
  const char *por_off;
  /* An LTL formula that is "true" or "false" of every model, whatever its parts
  ** mean; NULL otherwise. */
  const char *trivial;
  /* Why it may say less than it seems (vacuity/vacuity.h); NULL: nothing. */
  struct vacuity *vacuity;
  /* With 'explain': what matters in its trace; NULL otherwise. */
  const struct explanation *explanation;
} answer;

typedef VEC(answer) answer_list;

/* How the making of its trace ended: a run that cannot be replayed proves
** nothing, one for which there was no room is not shown. */
void answer_traced(answer *, trace_result, const limits *);
/* The reason for people; NULL: there is none. */
const char *answer_reason(const answer *);
const char *answer_method_name(answer_method); /* "explicit"; NULL: none */
void answer_forget_runs(answer *);             /* its trace, or its tree */
void answer_free(answer *);                    /* its traces */
void answers_free(answer_list *);

#endif
