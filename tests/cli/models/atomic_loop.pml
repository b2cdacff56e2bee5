byte n;

active proctype circle()
{
  n = 1;
  atomic {
    do
    :: n = 1 - n
    od
  }
}
