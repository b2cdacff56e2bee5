/* d_step in the main part and in the escape. */
/* expect: holds; states 167; transitions 307 */
byte x, y;

active proctype P() {
  {
    d_step { x = 1; y++; x = 2 };
    x = 3;
    d_step { y > 1; x = 4; y = 0 };
    x = 5
  } unless {
    d_step { y == 3 -> y = 7; x = x * 2 }
  };
  y++
}

active [2] proctype Q() { y++; y++ }
