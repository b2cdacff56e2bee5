/* B has nothing to do with what goes wrong between A and C. */
byte x, y, z;
chan c = [2] of { byte };

active proctype A()
{
  x = 1;
  c!7;
  c!8;
  y = 1;
  x = 3
}

active proctype B()
{
  do
  :: z < 3 -> z++
  :: else -> break
  od;
  z = 9
}

active proctype C()
{
  byte m;
  c?m;
  (y == 1);
  assert(x != 1 || m != 7)
}
