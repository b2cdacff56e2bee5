/* break and else inside an atomic sequence that is an option of a loop. */
/* expect: holds; states 38; transitions 58 */
byte x, y;

active [2] proctype P() {
  do
  :: atomic { x < 3 -> x++; if :: x == 2 -> break :: else -> y++ fi }
  :: atomic { x >= 2 -> y = y + x; break }
  :: atomic {
       do
       :: y > 2 -> y = y - 2
       :: else -> break
       od;
       y > 1 -> x = 0
     }
  od;
  y = 1
}
