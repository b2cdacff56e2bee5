/* Verdicts, and the reasons why there is none.  One list each: reports, JSON,
** exit statuses and the public header follow from them. */

#ifndef NUT_BASE_VERDICT_H
#define NUT_BASE_VERDICT_H

/* clang-format off */
/* Verdicts: name, text in reports, exit status. */
#define VERDICTS(VERDICT)                                                      \
  VERDICT(HOLDS,    "holds",    0)                                             \
  VERDICT(VIOLATED, "violated", 1)                                             \
  VERDICT(ERROR,    "error",    2)                                             \
  VERDICT(UNKNOWN,  "unknown",  3)

/* Why a run is not complete, or a verdict unknown: name, number (pinned, never
** reused), text in reports and JSON. */
#define REASONS(REASON)                                                        \
  REASON(NONE,          0, "")                                                 \
  REASON(MEMORY_LIMIT,  1, "memory limit reached")                             \
  REASON(TIME_LIMIT,    2, "time limit reached")                               \
  REASON(DEPTH_LIMIT,   3, "depth limit reached")                              \
  REASON(INTERRUPTED,   4, "interrupted")                                      \
  REASON(OUT_OF_MEMORY, 5, "out of memory")                                    \
  REASON(DECIDED,       6, "everything asked for is decided")                  \
  REASON(LOSSY_STORE,   7, "the store may lose states")                        \
  REASON(ERRORS,        8, "stopped after the errors found")                   \
  REASON(NOT_CHECKED,   9, "properties of this kind are not checked yet")      \
  REASON(REPLAY,       10, "a counterexample could not be replayed")           \
  REASON(OUTGROWN,     11, "a number has outgrown its type")                   \
  REASON(FORMULA,      12, "the formula is too large")                         \
  REASON(CLAIM,        13, "the claim changes the model, or has too many values")     \
  REASON(PROPOSITION,  14, "a condition of the property has no value in some state") \
  REASON(HIDDEN,       15, "strong fairness with hidden variables is not supported") \
  REASON(HIDDEN_SETS,  20, "hidden variables cannot be kept in sets of states") \
  REASON(FAIR_SETS,    24, "this kind of fairness is not checked with sets of states") \
  REASON(RANK,         25, "another rank ended early") \
  REASON(DISK,         26, "the disk could not be written or read")
/* clang-format on */

typedef enum {
#define VERDICT(name, text, status) VERDICT_##name = status,
  VERDICTS(VERDICT)
#undef VERDICT
} verdict;

typedef enum {
#define REASON(name, number, text) REASON_##name = number,
  REASONS(REASON)
#undef REASON
} reason;

const char *verdict_text(verdict);
const char *reason_text(reason);

#endif
