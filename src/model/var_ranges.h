/* Which values the variables of a model have in its states, for whoever writes
** it down by its values.  Who looked at the states fills the table. */

#ifndef NUT_MODEL_VAR_RANGES_H
#define NUT_MODEL_VAR_RANGES_H

#include "model/model.h"

typedef struct var_range {
  const var *var;
  int32_t least, most; /* most < least: it has no value in any state */
} var_range;

/* Sorted by variable. */
typedef struct var_ranges {
  VEC(var_range) list;
} var_ranges;

/* All globals, and locals of all types, without values yet. */
void var_ranges_start(var_ranges *, const model *);
void var_ranges_free(var_ranges *);
/* The entry of a variable; NULL: there is none. */
var_range *var_ranges_find(const var_ranges *, const var *);

#endif
