/* spin: refused */
/* A claim with variables of its own, one initialized by another: they become
 * constants in a claim that is made of it.
 *
 * expect never: violated
 * expect never: violated; with --fair weak
 * expect never: violated; with --fair strong
 */
byte x;

active proctype P()
{
  do
  :: x < 5 -> x++
  :: x == 5 -> x = 0
  od
}

never {
  byte low = 2, high = low + 1;
  do
  :: x == high -> break
  :: else
  od
}
