byte a, b, sum, cp;
active proctype all()
{
end:
  do
  :: d_step { cp == 0 -> a = 3; b = 3; sum = a + 2 * b; cp = 1 }
  :: d_step { cp == 1 -> cp = 2 }
  od
}
