/* Where a process could come to if nothing ever blocked it. */

#ifndef NUT_REPORT_REACHABLE_LOCATIONS_H
#define NUT_REPORT_REACHABLE_LOCATIONS_H

#include "model/model.h"

/* For each location of the process, whether there is a way to it; in the
** arena. */
const bool *reachable_locations(const process_type *, arena *);
/* Whether the process is gone after this edge. */
bool ends_process(const edge *);

#endif
