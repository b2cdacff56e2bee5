byte a[3], i;

active proctype walk()
{
  do
  :: a[i] = 1; i++
  od
}
