/* A long chain of small steps with an error at its end; the first step may also
** lead to two numbers that grow for ever.
** expect assertions: violated */

int a, b;
short place;

active proctype Chooser()
{
  do
  :: place == 0 -> a++
  :: place == 0 -> b++
  :: a == 0 && b == 0 && place < 140 -> place++
  :: a == 0 && b == 0 && place == 140 -> break
  od;
  assert(a > 0)
}
