/* Every message gets a number of its own; a reader who gives up early misses
** what is still on its way.
** expect assertions: violated */

int number;
chan log = [3] of { int };

active proctype Writer()
{
end:
  do
  :: number++; log!number
  od
}

active proctype Reader()
{
  int n;
end:
  do
  :: log?n
  :: n == 0 && len(log) == 3 -> break
  od;
  assert(false)
}
