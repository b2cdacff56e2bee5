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

#include "base/text.h"
#include "model/model.h"

/* Name and writer of each language that can be written. */
#define CONVERT_TARGETS(TARGET)                                                \
  TARGET(promela)                                                              \
  TARGET(dve)                                                                  \
  TARGET(pnml)

/* Writes the checked model 'm' to 'out', and leaves it in a form that cannot be
** run any more (simplify.h).  When the language cannot express it,
** answers false; then the reason is in 'why', and 'out' is not to be used.
** What cannot be carried over but leaves states and steps as they are (a
** property) is said in a comment of what is written. */
#define TARGET(name) bool convert_to_##name(model *m, text *out, text *why);
CONVERT_TARGETS(TARGET)
#undef TARGET

#endif
