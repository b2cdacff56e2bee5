/* Formulas of linear and branching time as temporal formulas over a net. */

#ifndef NUT_NET_OF_FORMULAS_H
#define NUT_NET_OF_FORMULAS_H

#include "net/of_pnml.h"
#include "net/temporal.h"

struct ltl;
struct ctl;

/* True of all runs; NULL: a condition is more than a claim. */
const temporal *temporal_of_ltl(arena *, const place_map *, const struct ltl *);
const temporal *temporal_of_ctl(arena *, const place_map *, const struct ctl *);

#endif
