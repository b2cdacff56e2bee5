byte x = 250;

active proctype grow()
{
  do
  :: x < 255 -> x = x + 10; break
  od
}
