/* What the two ways to write a net share. */

#ifndef NUT_CONVERT_WRITE_PNML_H
#define NUT_CONVERT_WRITE_PNML_H

#include "convert/flat.h"

void pnml_begin(text *out);
void pnml_end(text *out);
void pnml_place(text *out, const char *id, const char *name, int64_t tokens);
/* A transition called by the edges of a step. */
void pnml_transition(text *out, const char *id, const flat *,
                     const flat_step *);
/* An arc with a weight; 'number' is different for each. */
void pnml_arc(text *out, uint64_t number, const char *source,
              const char *target, int64_t weight, bool inhibits);

/* A net with a place for each value that a variable can have, and for each
** location: one token is where the process is, or what the variable holds. */
bool convert_by_values(const model *, const var_ranges *seen, text *out,
                       text *why);

#endif
