/* Dining philosophers, the version that gets stuck.
 *
 * Each of them takes the fork at the left first, then the one at the right.
 * When all have taken the left one, nobody can go on.  Nutshell reports this
 * as an invalid end state and shows how to get there. */
/* expect end-states: violated; states 119; transitions 342 */

#define N 4

/* A fork is a channel that holds one token while the fork lies on the table. */
chan fork[N] = [1] of { bit };

proctype philosopher(byte left; byte right) {
  do
  :: fork[left] ? _;
     fork[right] ? _;
     /* Eating happens here. */
     fork[right] ! 1;
     fork[left] ! 1
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      fork[i] ! 1;
      run philosopher(i, (i + 1) % N)
    }
  }
}
