/* Dining philosophers, with one who takes the forks in the other order.
 *
 * All forks are now taken in increasing order of their numbers, so that no
 * circle of waiting can close: compare with philosophers.pml. */
/* expect: holds; states 206; transitions 498 */

#define N 4

chan fork[N] = [1] of { bit };
byte eating;

proctype philosopher(byte first; byte second) {
  do
  :: fork[first] ? _;
     fork[second] ? _;
     eating++;
     assert(eating <= N / 2);
     eating--;
     fork[second] ! 1;
     fork[first] ! 1
  od
}

init {
  byte i, j;
  atomic {
    for (i : 0 .. N - 1) {
      fork[i] ! 1;
      j = (i + 1) % N;
      run philosopher((i < j -> i : j), (i < j -> j : i))
    }
  }
}
