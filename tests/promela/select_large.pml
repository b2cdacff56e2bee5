/* select over a range with many values, negative bounds, and one value. */
/* expect end-states: violated; states 6743; transitions 13543 */
int v;
short w;

active proctype P() {
  byte i;
  select (i : 0 .. 60);
  if
  :: i > 55 || i < 3 -> select (v : -2 .. 20)
  :: else -> v = i / 10
  fi;
  select (i : 9 .. 9);
  w = v * i
}

active proctype Q() {
  v == 3 -> select (w : -1 .. 1)
}
