/* Petri nets: what is asked of them besides properties, and the room of their
** places.  Does nothing for models of other languages. */

#ifndef NUT_VERIFY_NETS_EXAMINATION_H
#define NUT_VERIFY_NETS_EXAMINATION_H

#include "verify/verification.h"

/* Reads the formulas and the examination that the options ask for.  False with
** messages in the result. */
bool examination_prepare(verification *, const nut_options *, bool count);
/* Whether it can only be answered by sets of states. */
bool examination_needs_sets(const verification *);
/* Makes the search watch the tokens, where that is of use. */
void examination_attach(verification *, bool count, search_options *);
/* A turn ends when the tokens of so many places of markings were looked at; 0:
** it has no such end. */
void examination_allow(verification *, uint64_t places);
/* After a run: true when a place has outgrown its type and the run, whose
** result is given back, must be made once more with a new program. */
bool examination_starts_over(verification *, search_result *);
/* For which places there is more room by now: their number, and the first of
** them; and the same once more, in a run that goes on.  False: there are no such
** places. */
uint32_t examination_growths(const verification *, const uint32_t **places);
bool examination_grow_again(verification *, const uint32_t *places,
                            size_t count);
/* Makes a new program, with room for the places as the types now have it. */
void examination_make_program(verification *);
/* A net without bounds: the reason, and the figures. */
void examination_is_unbounded(verification *, const char *place);
/* Whether it is known to be one. */
bool examination_is_endless(const verification *);
/* Adds figures and the answers of examinations to the outcome. */
void examination_conclude(verification *);
/* After a complete symbolic run: takes over what it counted. */
void examination_measure(verification *, symbolic_space *,
                         const symbolic_figures *);
/* Likewise, when only the tokens were counted. */
void examination_take_figures(verification *, const symbolic_figures *);
/* Says why it ended, when it was for the growth of a place. */
void examination_explain(verification *);

/* The order of levels that is best for sets of its markings; as asked for until
** they were compared, and for other languages. */
nut_order examination_order(const verification *, nut_order asked);
bool examination_has_order(const verification *);
void examination_set_order(verification *, nut_order);

#endif
