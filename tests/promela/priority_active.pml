/* Only processes of the highest priority among the enabled ones move. */
/* expect end-states: violated; states 24; transitions 28 */
byte x, y;

active proctype low() priority 1 {
  byte i;
  do
  :: i < 3 -> x++; i++
  :: i == 3 -> break
  od
}

active [2] proctype mid() priority 3 {
  x > 0;
  y = y + x;
  x > 2 -> y++
}

active proctype high() priority 5 {
  y == 2 -> y = 20;
  x == 3 -> x = 0
}
