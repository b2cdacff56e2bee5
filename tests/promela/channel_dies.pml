/* A channel whose owner has ended is used by another: the number may stand
 * for nothing or for a new channel. */
/* expect: violated(invalid end state); states 23; transitions 27 */
chan c;
byte state;

proctype owner(byte k) {
  chan mine = [1] of { byte };
  c = mine;
  mine ! k;
  state = k
}

init {
  byte x;
  run owner(1);
  state == 1 -> _nr_pr == 1;
  run owner(2);
  state == 2 -> c ? x;
  assert(x == 2);
  state = 10 + x
}
