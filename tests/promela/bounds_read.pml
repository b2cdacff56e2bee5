/* Reading an array beyond its end. */
/* expect bounds, end-states: violated */
byte a[3], x;

active proctype P() {
  byte i;
  do
  :: i < 4 -> i++; if :: i == 2 -> break :: else fi
  :: i == 3 -> x = a[i]; break
  :: i == 0 -> i = 3
  od
}
