/* A long way to an error. */
int n;

active proctype counter()
{
  do
  :: n < 100 -> n++
  :: n == 100 -> break
  od;
  assert(n != 100)
}
