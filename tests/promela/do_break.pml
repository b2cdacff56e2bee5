/* Nested loops; break leaves the innermost one; break as an option of its
 * own and in the middle of a sequence. */
/* expect end-states: violated; states 742; transitions 1474 */
byte x, y;

active [2] proctype P() {
  do
  :: x < 3 ->
     x++;
     do
     :: y < 2 -> y++
     :: y == 2 -> y = 0; break
     :: x == 3 -> break
     od;
     if
     :: x == 2 && y == 1 -> break
     :: else
     fi
  :: break
  :: x == 3 -> y++; break
  od;
  x = 0
}
