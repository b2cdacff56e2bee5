/* What the process uses: time and memory, asked of the system. */

#ifndef NUT_SEARCH_USAGE_H
#define NUT_SEARCH_USAGE_H

#include <stddef.h>

double usage_seconds(void);       /* since some moment; never goes back */
size_t usage_resident(void);      /* bytes; 0: not known */
size_t usage_resident_peak(void); /* bytes; 0: not known */
/* Bytes the process may have resident before the system runs out of them: the
** free memory, or what a control group leaves, plus what it has already. */
size_t usage_memory_room(void);

#endif
