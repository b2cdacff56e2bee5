/* Mutual exclusion of N processes by Peterson's filter: N - 1 waiting rooms, of
 * which each holds back the last one who came in.  Shared variables only. */

#ifndef N
#define N 4
#endif

byte room[N];   /* how far each process has come; 0: not interested */
byte last[N];   /* who entered each room last */
byte inside;

active [N] proctype user() {
  byte k, j;

  do
  :: k = 1;
     do
     :: k < N ->
        room[_pid] = k;
        last[k] = _pid;
        j = 0;
        do
        :: j < N && (j == _pid || room[j] < k || last[k] != _pid) -> j++
        :: j == N -> break
        od;
        k++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     room[_pid] = 0
  od
}
