/* select over a small range, with variable bounds, twice by two processes. */
/* expect: holds; states 4153; transitions 8235 */
byte a, b;

active [2] proctype P() {
  byte x;
  select (x : 1 .. 3);
  a = a + x;
  select (x : a .. a + 2);
  b = b + x;
  assert(b >= a || b < a)
}
