/* provided: a process can move only while its condition holds, the
 * condition may use _pid, locals of others are not needed. */
/* expect end-states: violated; states 1272; transitions 3518 */
byte turn, work;
bool open_gate;

active [2] proctype P() provided (turn == _pid) {
  byte i;
  do
  :: i < 2 -> i++; work = work + i; turn = 1 - turn
  :: i == 2 -> break
  od;
  turn = 1 - turn
}

active proctype gate() {
  open_gate = true;
  work > 3 -> open_gate = false
}

proctype child(byte k) provided (open_gate || work > 6) {
  work = work + k;
  skip
}

init {
  run child(1);
  run child(5)
}
