/* timeout is true when nothing else can move; alone, with && and in
 * several processes at once. */
/* expect end-states: violated; states 85; transitions 98 */
byte x, y, hits;

active proctype A() {
  do
  :: x < 2 -> x++
  :: timeout && y < 2 -> y++; hits++
  :: timeout && y == 2 -> break
  od;
  x = 10
}

active proctype B() {
  y == 1 -> x = 0;
  timeout -> hits = hits + 10
}

active proctype C() {
  if
  :: timeout -> y = y + 1
  :: hits == 2 -> skip
  fi
}
