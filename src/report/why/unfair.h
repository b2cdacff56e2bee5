/* Whether the loop of a run forgets a process: one that could always move in
** it, or again and again, and never does.  Then the run violates fairness, and a
** scheduler that is fair would not do so.
**
**   A(0) could always move in this loop: with --fair weak such runs do not count
**
** Who can move is meant as fairness means it (search/liveness/fairness.c): at a
** rendezvous it is the sender. */

#ifndef NUT_REPORT_WHY_UNFAIR_H
#define NUT_REPORT_WHY_UNFAIR_H

#include "report/story.h"

typedef enum { UNFAIR_NO, UNFAIR_STRONG, UNFAIR_WEAK } unfair_kind;

typedef struct forgotten {
  uint32_t process;
  const process_type *type;
} forgotten;

typedef struct unfair_loop {
  unfair_kind kind; /* what is violated; weak fairness, if that is */
  forgotten *list;  /* by number; in the story's arena */
  size_t count;
} unfair_loop;

/* Of a story that ends in a loop; others, and loops of very many steps, forget
** nobody. */
unfair_loop unfair_find(story *);
const char *unfair_word(unfair_kind); /* "weak" */
/* The sentence above, one line without its end; nothing for a fair loop. */
void unfair_add(story *, text *out);

#endif
