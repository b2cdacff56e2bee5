/* A d_step that blocks in the middle is an error of its own. */
/* expect bounds: violated */
byte x;

active proctype P() {
  d_step { x = 1; x == 2; x = 3 };
  x = 4
}
