/* enabled(pid) and pc_value(pid). */
/* expect assertions, end-states, bounds: holds; states 9; transitions 9 */
byte x, r;

active proctype P() {
  x == 1;
  x = 2;
  x = 3
}

active proctype Q() { x = 1; x == 3 -> x = 4 }

never {
  do
  :: enabled(0) -> r = 1
  :: !enabled(0) && pc_value(1) > 0
  :: pc_value(0) > 2 -> break
  od
}
