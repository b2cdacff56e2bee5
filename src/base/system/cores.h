/* How many threads can run at once. */

#ifndef NUT_BASE_SYSTEM_CORES_H
#define NUT_BASE_SYSTEM_CORES_H

#include <stdint.h>

enum { CORES_MOST = 256 }; /* threads of one search */

/* The processors that this process may use: those it is bound to, no more than
** the quota of its control groups, and under the job server of make its share of
** them; or what the variable NUTSHELL_THREADS of the environment says.  1 to
** CORES_MOST. */
uint32_t cores_available(void);
/* The share of a job of a make whose MAKEFLAGS are these, or NULL: 'make -j4' may
** have four of them at a time. */
uint32_t cores_of_make(uint32_t cores, const char *flags);
/* The same with files of the system below 'root', for tests. */
uint32_t cores_of_groups(const char *root);

#endif
