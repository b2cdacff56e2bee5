/* Concurrent counters: N processes count to MAX and begin again, each on its
** own.  All (MAX + 1) ^ N states are reachable, and a diagram of them is small.
** After the counters of Visser's first table. */

#ifndef N
#define N 4
#endif
#ifndef MAX
#define MAX 9
#endif

byte count[N];

active [N] proctype counter()
{
  do
  :: d_step { count[_pid] < MAX -> count[_pid]++ }
  :: d_step { count[_pid] == MAX -> count[_pid] = 0 }
  od
}
