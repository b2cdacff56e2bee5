/* _priority, get_priority and set_priority while running. */
/* expect end-states: violated; states 354; transitions 575 */
byte x, seen;

active proctype A() priority 2 {
  x = 1;
  set_priority(_pid, 1);
  x = x + get_priority(1);
  _priority = 6;
  x++;
  seen = _priority
}

active proctype B() priority 3 {
  byte i;
  do
  :: i < 2 -> i++; x = x * 2
  :: i == 2 -> set_priority(0, 9); i = get_priority(0); break
  od;
  x > 3;
  set_priority(_pid, 1);
  x = x + 10
}

active [2] proctype C() { seen < 4 -> x = x + 1; x = x + 2 }
