/* A proctype that is never started, a variable that is never used, code
 * behind a goto. */
/* expect: holds; states 19; transitions 25 */
byte x, unused;

proctype ghost(byte k) { x = k; assert(false) }

active [2] proctype P() {
  x++;
  goto over;
  x = 77;
  run ghost(3);
over:
  x = x * 2
}
