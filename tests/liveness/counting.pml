/* A claim that counts, in a global that nobody else uses: twice three, then for
 * ever below.  SPIN warns of its side effects.
 *
 * expect never: violated
 * expect never: violated; with --fair weak
 * expect never: violated; with --fair strong
 */
byte x, count;
bit b, seen;

active proctype P()
{
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  :: x == 0 -> b = 1 - b
  od
}

never {
  do
  :: x == 3 && count < 2 -> seen = b; count++
  :: count == 2 && seen == 1 -> break
  :: else
  od;
accept: do :: x < 3 od
}
