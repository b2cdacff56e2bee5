byte x;

active proctype p()
{
  c_code { now.x = 1; };
  x = 2
}
