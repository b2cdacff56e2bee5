/* Shifts of ints into the sign and back. */
/* expect end-states: violated; states 582; transitions 894 */
int x = 1, y;
short s;

active proctype P() {
  do
  :: x != 0 -> x = x << 3; y = x >> 2
  :: x < 0 -> s = x >> 16
  :: x == 0 -> break
  od
}

active proctype Q() {
  byte n = 2;
  y > 10 -> y = (y >> n) + (1 << n);
  s = y | 1
}
