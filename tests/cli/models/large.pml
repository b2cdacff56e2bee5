/* More states than anyone wants to draw. */
byte a, b, c;

active proctype p()
{
  do
  :: a++
  :: b++
  :: c++
  od
}
