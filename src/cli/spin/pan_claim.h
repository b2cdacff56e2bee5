/* Claims as pan takes them.
**
** Without -a, pan looks for the end of a claim and for its assertions only, not
** for loops that it accepts.  So a claim has two forms:
**
**   whole     the 'never' or 'ltl' of the model
**   finite    a 'never' that accepts no loop: a 'never' without its labels, or,
**             behind the model, the automaton of the formula that is refuted
**
** What a 'never' has is seen from its tokens. */

#ifndef NUT_CLI_SPIN_PAN_CLAIM_H
#define NUT_CLI_SPIN_PAN_CLAIM_H

#include "base/arena.h"
#include "base/text/text.h"
#include <stdbool.h>

typedef struct claim_facts {
  bool accepts; /* it has a label of acceptance */
  bool labels;  /* it, another claim, or a formula has one */
  bool asserts; /* it says with an assertion that it has seen enough, as SPIN's
                ** translator does */
  const char *name;      /* as written, or "never_0" */
  const char *condition; /* of the first assertion: "!(x==2)" */
} claim_facts;

/* Of the claim of that name; a lone one may be called "never".  Its texts live
** in the arena. */
claim_facts claim_facts_of(arena *, const char *model, size_t length,
                           const char *name);
/* Adds the model, with all 'never' claims finite. */
void claim_make_finite(const char *model, size_t length, text *out);
/* Adds a finite claim that refutes the formula; false: that cannot be. */
bool claim_add_refutation(const char *formula, text *out);
/* Adds the claim of a formula as SPIN writes it: an assertion fails where all
** that follows is accepted.  False: '*messages' tells why, for
** 'nut_text_free'. */
bool claim_add_formula(const char *formula, text *out, char **messages);

/* The formula [] X, where X speaks of one state: SPIN makes an assertion of it.
** Returns X, or NULL. */
const char *claim_invariant(const char *formula);

#endif
