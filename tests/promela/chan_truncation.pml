/* Values are cut to the field's type when sent and to the variable's type
 * when received. */
/* expect: holds; states 1418; transitions 2643 */
chan c = [2] of { byte, bit, short };
chan r = [0] of { byte, int };
byte b; bit t; short s; int i; byte bi;

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
  :: n < 5 -> c ? b, i, bi; n++
  :: n == 5 -> break
  od;
  r ? i, s;
  assert(i == 4 && s == 4464);
  r ? bi, b;
  assert(bi == 255 && b == 255)
}
