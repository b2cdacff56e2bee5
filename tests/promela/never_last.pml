/* _last is used only in a claim that is not checked: it is still counted as
 * a part of the state. */
/* expect assertions, end-states, bounds: holds; states 55; transitions 76 */
byte x, y;

active [2] proctype P() { x++; y = y + x; x-- }

never {
  do
  :: _last != 0
  :: _last == 0 -> break
  od
}
