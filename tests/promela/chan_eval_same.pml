/* eval of a variable that the same receive sets: the old value decides. */
/* expect: violated(invalid end state); states 43; transitions 51 */
chan c = [2] of { byte, byte };
byte x = 1, y, n;

active proctype S() { c ! 5, 1; c ! 5, 5; c ! 1, 5 }

active proctype R() {
  do
  :: c ? x, eval(x) -> n++
  :: c ? eval(y), y -> n = n + 10
  :: c ? eval(x), 5 -> y = 1
  :: c ?? y, eval(x) -> n = n + 20
  :: timeout -> break
  od
}
