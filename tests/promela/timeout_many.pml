/* Three processes wait for timeout in different ways; messages revive
 * the system. */
/* expect end-states: violated; states 49; transitions 60 */
chan c = [1] of { byte };
byte n;

active proctype A() {
  do
  :: c ? _ -> n++
  :: timeout && n > 1 -> break
  :: timeout && n == 0 -> n = 1
  od
}

active proctype B() {
  do
  :: timeout -> c ! 1; if :: n > 2 -> break :: else fi
  od
}

active proctype C() {
  !timeout && n == 1 -> n = 2
}
