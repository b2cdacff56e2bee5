/* The old word D_proctype. */
/* expect end-states: violated; states 151; transitions 287 */
byte x;
active D_proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
  od
}
active [2] proctype Q() { x = 0; x++ }
