/* Copying receives <..>: the message stays; first position and anywhere,
 * with constants that must fit. */
/* expect: holds; states 1202; transitions 1821 */
chan c = [3] of { byte, byte };
byte a, b, n;

active proctype S() { c ! 1, 7; c ! 2, 8; c ! 1, 9 }

active proctype R() {
  byte x;
  do
  :: n < 4 -> c ? <x, 7>; a = a + x; n++
  :: n < 4 -> c ?? <2, x>; b = b + x; n++
  :: n < 3 -> c ?? <1, x>; a = x; n++
  :: c ? x, _; b = b + x; n = 4
  :: n == 4 && empty(c) -> break
  :: timeout -> break
  od
}
