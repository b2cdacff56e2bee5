/* Petri nets: what is asked of them besides properties, and the room of their
** places.  Does nothing for models of other languages. */

#ifndef NUT_API_NET_H
#define NUT_API_NET_H

#include "api/handle.h"

/* Reads the formulas and the examination that the options ask for.  False with
** messages in the result. */
bool net_prepare(nut_result *, const nut_options *);
/* Makes the search watch the tokens, where that is of use. */
void net_attach(nut_result *, bool count, search_options *);
/* After a run: true when a place has outgrown its type and the run, whose
** result is given back, must be made once more with a new program. */
bool net_begins_anew(nut_result *, search_result *);
/* Adds figures and the answers of examinations to the outcome. */
void net_conclude(nut_result *);
/* After a complete symbolic run: takes over what it counted. */
void net_measure(nut_result *, symbolic_space *, const symbolic_figures *);
/* Says why it ended, when it was for the growth of a place. */
void net_explain(nut_result *);

#endif
