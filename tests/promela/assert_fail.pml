/* Assertions that fail on some paths; the search goes on behind them. */
/* expect assertions, end-states: violated; states 115; transitions 160 */
byte x;

active [2] proctype P() {
  byte t;
  t = x;
  x = t + 1
}

active proctype check() {
  x == 1;
  assert(x == 2);
  x = x + 10;
  assert(x > 11);
  x = 0
}
