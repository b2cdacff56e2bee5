/* What a model expects of itself, in comments of its language:
**
**   expect: holds; states 38; transitions 65
**   expect csc, usc: violated; states 6; with --property csc --property usc
**   expect never_both: holds; with -D N=3 --fair weak
**   expect: unknown; says place 'q' is unbounded
**   expect: 7:39: error: 's' refers to nothing
**
** It is the first word of a line of a comment, and goes on to the end of the
** line or of the comment.  'with' comes last; what follows it is one of a fixed
** list: a model is data, and names no file, folder or program. */

#ifndef NUT_CLI_MANY_EXPECTATION_H
#define NUT_CLI_MANY_EXPECTATION_H

#include "base/arena.h"
#include "cli/options.h"
#include "nutshell.h"

/* Figures of 'nutshell count': word and what it is. */
/* clang-format off */
#define EXPECTED_FIGURES(FIGURE)                                               \
  FIGURE(STATES,      "states")                                                \
  FIGURE(TRANSITIONS, "transitions")                                           \
  FIGURE(DEADLOCKS,   "deadlocks")                                             \
  FIGURE(PLACE,       "place")                                                 \
  FIGURE(MARKING,     "marking")
/* clang-format on */

typedef enum {
#define FIGURE(name, word) EXPECTED_##name,
  EXPECTED_FIGURES(FIGURE)
#undef FIGURE
      EXPECTED_FIGURES_
} expected_figure;

const char *expected_figure_name(expected_figure);

typedef struct expectation {
  uint32_t line;
  const char *text;    /* as it is written, behind 'expect' or 'expect:' */
  const char *message; /* it is a message of a model that is refused */
  const char **names;  /* of properties; ended by NULL, perhaps none */
  bool has_verdict;
  nut_verdict verdict;
  const char *figures[EXPECTED_FIGURES_]; /* in digits; NULL: not expected */
  const char *says;                       /* or NULL */
  const char **with;                      /* words, ended by NULL */
  size_t with_count;
  const char *wrong; /* what is wrong with the line itself, or NULL */
} expectation;

typedef VEC(expectation) expectation_list; /* its elements are in the arena */

/* All of them, in order. */
void expectations_find(arena *, nut_language, const char *content,
                       size_t length, expectation_list *);

/* Reads what follows 'with' as options of 'check'; '*o' is for options_free in
** any case.  NULL: fine; otherwise what is wrong. */
const char *expectation_options(arena *, const expectation *, options *o);

#endif
