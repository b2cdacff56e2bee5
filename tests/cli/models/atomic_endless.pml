int m;

active proctype counter()
{
  atomic {
    do
    :: m++
    od
  }
}
