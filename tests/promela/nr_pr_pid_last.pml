/* _nr_pr, _pid and _last in expressions. */
/* expect end-states: violated; states 13783; transitions 32269 */
byte trail[3];

active [2] proctype A() {
  byte i;
  do
  :: i < 2 && _last != _pid -> trail[_pid] = _last; i++
  :: i < 2 && _last == _pid -> trail[_pid] = 9; i++
  :: i == 2 -> break
  od;
  trail[_pid] = trail[_pid] + _nr_pr
}

active proctype B() {
  _last == 1 -> trail[_pid] = _nr_pr;
  _last == 0 -> skip
}
