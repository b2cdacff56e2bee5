/* What the process uses: time and memory, asked of the system. */

#ifndef NUT_BASE_SYSTEM_USAGE_H
#define NUT_BASE_SYSTEM_USAGE_H

#include <stddef.h>

double usage_seconds(void);       /* since some moment; never goes back */
size_t usage_resident(void);      /* bytes; 0: not known */
size_t usage_resident_peak(void); /* bytes; 0: not known */
/* Bytes that could be had without swapping: what the machine has free, or what
** its control groups (version 1 or 2) leave, and of how many in all; SIZE_MAX:
** not known.  Of this moment, or of a few milliseconds before. */
size_t usage_memory_left(size_t *total);
/* The same on a system whose files lie below 'root', for tests. */
size_t usage_memory_left_below(const char *root, size_t *total);

#endif
