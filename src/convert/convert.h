/* Models written down in other languages.
**
**   simplify.c buffers.c atomic.c   the same model without what a list of steps
**               cannot tell: ends of processes, 'else', atomic sequences
**   flat.c      the model as a list of steps, each of all who take part in it
**   words.c     words that the other language can use
**   terms.c     expressions as text
**   steps.c     what a step needs and does, as text
**   write_promela.c write_dve.c write_pnml.c   the languages
**   unfold.c    nets by values
**
** In Promela and DVE a converted model is one process that makes every step of
** the system, and the locations of the processes are variables: so the steps
** are those of the model whatever its own language thinks of communication,
** and states and transitions are as many. */

#ifndef NUT_CONVERT_CONVERT_H
#define NUT_CONVERT_CONVERT_H

#include "base/text/text.h"
#include "model/var_ranges.h"

/* Writes the checked model 'm' to 'out', and leaves it in a form that cannot be
** run any more (simplify.h).  When the language cannot express it,
** answers false; then the reason is in 'why', and 'out' is not to be used.
** What cannot be carried over but leaves states and steps as they are (a
** property) is said in a comment of what is written. */
bool convert_to_promela(model *m, text *out, text *why);
bool convert_to_dve(model *m, text *out, text *why);
/* Values that no state has, if somebody has looked, make no places; 'seen' may
** be empty. */
bool convert_to_pnml(model *m, const var_ranges *seen, text *out, text *why);

#endif
