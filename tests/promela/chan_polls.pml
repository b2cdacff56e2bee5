/* Polls ?[..] and ??[..] leave all variables as they are; with constants,
 * variables, eval and _. */
/* expect: holds; states 238; transitions 308 */
mtype = { one, two };
chan c = [2] of { mtype, byte };
byte hits, v = 5;

active proctype S() {
  if
  :: c ! one, 5
  :: c ! two, 5
  fi;
  c ! one, 6
}

active proctype P() {
  byte i;
  do
  :: i < 3 && c ? [one, v] -> hits++; i++; assert(v == 5)
  :: i < 3 && c ? [two, eval(v)] -> hits = hits + 2; i++
  :: i < 3 && c ?? [one, 6] -> hits = hits + 10; i++
  :: i < 3 && !(c ?? [two, _]) && len(c) == 1 -> hits = hits + 50; i++
  :: i == 3 -> break
  od;
  assert(v == 5)
}
