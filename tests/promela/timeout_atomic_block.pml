/* timeout becomes true when an atomic sequence is blocked and nothing else
 * can move. */
/* expect: holds; states 18; transitions 19 */
byte x, y;

active proctype A() {
  atomic { x = 1; y == 1; x = 2; y == 2; x = 3 }
}

active proctype B() {
  timeout -> y = 1;
  x == 2;
  y = 5;
  timeout -> y = 2
}

active proctype C() { x > 0 -> x = x + 0; if :: y == 5 -> y = 6 :: x == 3 fi }
