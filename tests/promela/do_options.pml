/* Options that begin with blocks, atomic, d_step, unless, another do or an
 * if. */
/* expect end-states: violated; states 5212; transitions 10427 */
byte x, y;

active [2] proctype P() {
  do
  :: { x < 2; x++ }
  :: atomic { x == 2 -> y++; x = 0 }
  :: d_step { y == 2 -> y = 3; x = 3 }
  :: { y == 3 -> x = 9 } unless { x == 1 -> y = 0 }
  :: if
     :: x == 9 -> goto out
     :: x == 3 && y == 3 -> x = 4
     fi
  :: do
     :: x == 4 -> x = 5
     :: x == 5 -> x = 9; break
     od
  od;
out:
  y = 1
}
