/* _ in receives throws a field away; _ can be assigned to. */
/* expect: holds; states 143; transitions 296 */
chan c = [1] of { byte, byte, byte };
byte x, y;

active proctype S() {
  byte i;
  do
  :: i < 3 -> c ! i, i + 1, i + 2; i++
  :: else -> break
  od;
  _ = i
}

active proctype R() {
  do
  :: c ? x, _, _
  :: c ? _, y, 3
  :: c ? _(_, x); y = x
  :: c ?? <_, x, _> -> y = 0
  :: timeout -> break
  od
}
