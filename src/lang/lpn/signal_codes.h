/* What complete and unique state coding (CSC, USC) are about: the code of a
** state is the values of all signals, and what a circuit must know from it is
** which of its own signals are about to change. */

#ifndef NUT_LANG_LPN_SIGNAL_CODES_H
#define NUT_LANG_LPN_SIGNAL_CODES_H

#include "model/model.h"

typedef struct net_coding {
  var **signals;
  uint32_t signal_count;
  /* For each signal that is no input: one of its edges is enabled, 0 or 1. */
  expr **excited;
  var **outputs; /* which signal that is */
  uint32_t excited_count;
} net_coding;

#endif
