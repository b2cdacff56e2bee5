int m;

active proctype counter()
{
  atomic {
    do
    :: m != -1 -> m++
    od
  }
}
