/* Writing with a negative index, computed from a short. */
/* expect bounds, end-states: violated */
byte a[2], b = 1;
short k = 1;

active proctype P() {
  do
  :: k > -2 -> k--
  :: k == 0 -> break
  :: k == -1 -> a[k] = 3; break
  od;
  b = 2
}
