/* An inline that returns a value. */
/* expect: holds; states 78; transitions 113 */
int x, y;

inline twice(a) {
  a = a + 1;
  return a * 2
}

active [2] proctype P() {
  byte k = _pid;
  x = twice(k);
  y = twice(x)
}
