/* Exclusive access assertions that are respected. */
/* expect: holds; states 21; transitions 24 */
chan c = [2] of { byte };
chan d = [1] of { byte };
byte n;

active proctype S() {
  xs c;
  xr d;
  byte r;
  c ! 1;
  c ! 2;
  d ? r;
  c ! r
}

active proctype R() {
  xr c;
  xs d;
  byte x;
  do
  :: c ? x -> n = n + x; if :: x == 2 -> d ! n :: else fi
  :: n > 5 -> break
  od
}
