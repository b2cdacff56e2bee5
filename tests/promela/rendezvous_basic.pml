/* Handshakes: several senders and receivers on one channel, several
 * fields, constants that must fit. */
/* expect: holds; states 790; transitions 1372 */
chan c = [0] of { byte, bit };
byte r[2];

active [2] proctype S() {
  c ! _pid + 1, 0;
  if
  :: c ! 7, 1
  :: c ! 8, 0
  :: r[0] > 6 -> skip
  fi
}

active [2] proctype R() {
  byte x; bit b;
  do
  :: c ? x, 0 -> r[_pid - 2] = x
  :: c ? 7, b -> r[_pid - 2] = r[_pid - 2] + 10 * b; break
  :: timeout -> break
  od
}
