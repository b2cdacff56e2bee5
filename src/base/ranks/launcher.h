/* Who started this process: a launcher of MPI (mpirun, srun), which started others
** of its kind, or nobody of that sort. */

#ifndef NUT_BASE_RANKS_LAUNCHER_H
#define NUT_BASE_RANKS_LAUNCHER_H

#include "base/ranks/ranks.h"

typedef struct launch {
  uint32_t own, count; /* as the launcher tells */
  const char *library; /* whose launcher: "openmpi", "mpich" or "sockets" */
} launch;

/* For tests: bytes of a message, states from which on they have owners, bytes
** of memory from which on states go to the disk, batches after which a checkpoint is
** written, and files after which the run is interrupted. */
#define LAUNCHER_MESSAGE "NUT_RANKS_MESSAGE"
#define LAUNCHER_AFTER "NUT_RANKS_AFTER"
#define LAUNCHER_DISK "NUT_RANKS_DISK"
#define LAUNCHER_KEEP "NUT_RANKS_KEEP"
#define LAUNCHER_LEG "NUT_RANKS_LEG"

/* Whether there are other processes; one alone needs no library. */
bool launcher_find(launch *);
/* Meets them.  NULL with the reason, which is static or that of the system. */
ranks *launcher_join(const launch *, const char **why);

#endif
