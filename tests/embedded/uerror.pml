/* C says that something is wrong: an error like a failed assertion, after which
 * the step is still made. */
/* expect assertions: violated */
byte x;

active [2] proctype P() {
  x = x + 1;
  c_code { if (now.x == 1) uerror("x is 1"); };
  x = 5
}
