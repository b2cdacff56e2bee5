/* From plain nets and claims back to what engines work on: a net of PNML, whose
** model is made as that of one that was read, and expressions.  The contrary of
** of_pnml.h. */

#ifndef NUT_NET_TO_PNML_H
#define NUT_NET_TO_PNML_H

#include "lang/pnml/pnml.h"
#include "net/claim.h"

/* The net, whose place p stands for place origin[p] of 'read': it has its name,
** its span and its neighbours.  Transition t is called "t" and its number. */
pnml_net *pnml_of_petri(arena *, const petri *, const pnml_net *read,
                        const uint32_t *origin);
/* The number in the name of an edge of such a net. */
uint32_t pnml_transition_number(const char *name);

/* The claim over places of the net of the model; NULL: its numbers are too
** great for expressions. */
expr *claim_to_expr(model *, const claim *);

#endif
