/* From what was read (lang/pnml, expressions of the model) to plain nets and
** claims.  Places and transitions have the numbers of the file. */

#ifndef NUT_NET_OF_PNML_H
#define NUT_NET_OF_PNML_H

#include "lang/pnml/pnml.h"
#include "net/claim.h"

petri *petri_of_pnml(arena *, const pnml_net *);

/* Variables of the model as places: 'places' by index of the global. */
typedef struct place_map {
  uint32_t *places;
  size_t count;
} place_map;

place_map place_map_of(arena *, const model *, const pnml_net *);

/* The expression as a claim; NULL: it is more than sums and comparisons.  With
** 'contrary', that it is not true. */
const claim *claim_of_expr(arena *, const place_map *, const expr *,
                           bool contrary);

#endif
