/* Values are cut to the field's type when sent.  (Variables that are smaller
 * than the field they receive are left out: SPIN puts the cut value back into
 * the channel when it backtracks.) */
/* expect: holds; states 858; transitions 1573 */
chan c = [2] of { byte, bit, short };
chan r = [0] of { byte, int };
byte b; bit t; short s; int i, j;

active proctype S() {
  int v = -3;
  do
  :: v < 2 -> c ! v, v, v * 20000; v++
  :: v == 2 -> break
  od;
  r ! 260, 70000;
  r ! -1, -1
}

active proctype R() {
  byte n;
  do
  :: n < 5 -> c ? i, t, s; n++; b = b + i
  :: n < 5 -> c ? b, i, j; n++
  :: n == 5 -> break
  od;
  r ? i, j;
  assert(i == 4 && j == 70000);
  r ? b, j;
  assert(b == 255 && j == -1)
}
