/* Files without names, for what does not fit into memory: they are gone when we
** are, however we end.
**
**   DIR ── nutshell-disk-a81f3c         0700, ours, locked while we live
**             └── (files that have a name for a moment only)
**
** A folder whose lock is free is left over from somebody who was killed, and is
** removed by the next who works in DIR; nothing else is touched.  Whoever makes
** or removes a folder holds the lock of DIR meanwhile, so that two runs do not
** meet. */

#ifndef NUT_BASE_SYSTEM_SCRATCH_H
#define NUT_BASE_SYSTEM_SCRATCH_H

#include <stdbool.h>

typedef struct scratch scratch;

/* Makes a folder in 'dir'; NULL: 'errno' says why. */
scratch *scratch_create(const char *dir);
void scratch_destroy(scratch *); /* NULL is fine */
/* Opens an empty file for reading and writing; -1: 'errno' says why. */
int scratch_open(scratch *);
/* Whether what is written there stays in memory, so that nothing is gained. */
bool scratch_is_memory(const scratch *);

#endif
