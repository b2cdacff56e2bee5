/* d_step within atomic within a loop, with conditions that block at its
 * start. */
/* expect: holds; states 156; transitions 333 */
byte x, y, z;

active [2] proctype P() {
  byte i;
  do
  :: i < 2 -> atomic {
       i++;
       d_step { x == y -> x = x + 1; z = x };
       d_step { y < x; y = y + 1; if :: z > 2 -> z = 0 :: else fi }
     }
  :: i == 2 -> break
  od
}

active proctype Q() {
  d_step { x > 1 -> z = 7 };
  d_step { do :: z > 1 -> z = z - 2 :: else -> break od; y = x }
}
