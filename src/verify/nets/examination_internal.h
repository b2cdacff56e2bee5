/* What is asked of a net, and what is known of it so far: for the examinations
** and for what answers them without a state space (net_front.h). */

#ifndef NUT_VERIFY_NETS_EXAMINATION_INTERNAL_H
#define NUT_VERIFY_NETS_EXAMINATION_INTERNAL_H

#include "lang/pnml/pnml.h"
#include "program/layout.h"
#include "verify/nets/examination.h"

/* What an examination asks for: name, what decides it. */
typedef enum {
  ASK_NOTHING,  /* cannot be decided here */
  ASK_TOKENS,   /* the whole state space with its tokens */
  ASK_DEADLOCK, /* end states */
  ASK_FORMULAS,
  ASK_ONE_SAFE,
  ASK_QUASI_LIVE,
  ASK_STABLE,
  ASK_LIVE
} ask_kind;

enum { NET_GROWTHS_MAX = 8 }; /* more than there are widths of places */

struct net_watch {
  const pnml_net *net;
  arena *arena;                             /* for what is counted */
  type *types;                              /* of the globals: places grow */
  uint32_t grown[NET_GROWTHS_MAX], growths; /* for which of them, in order */
  const char *examination;                  /* or NULL */
  const question *question; /* the examination as one, or NULL */
  ask_kind asks;
  pnml_formulas formulas;
  const question **questions; /* by formula */
  bool examined;              /* the options ask for something special */
  /* By place, in the order of the net. */
  uint32_t *offsets;
  keep *keeps;
  bool in_bytes; /* each place is one byte of a state */
  int32_t *first, *most, *now;
  bool *changed;
  uint32_t still; /* places whose tokens never changed so far */
  uint32_t idle;  /* symbolic: transitions that never fire */
  /* Places that may still be looked at in this turn; 0: as many as there are. */
  uint64_t allowed;
  bool begun; /* the initial state was seen */
  bool live;  /* symbolic: each transition can always fire again */
  reason live_reason;
  uint64_t *bounds; /* by formula, of FORMULA_BOUND */
  net_figures figures;
  nut_order order; /* of levels: the best, once they were compared */
  bool compared;
  const char *why;     /* it ended for the growth of a place; or NULL */
  struct front *front; /* what was found without a state space; or NULL */
};
typedef struct net_watch net_watch;

#endif
