byte turn;

active proctype p()
{
  trun = 1;
  turn = 1 +
}
