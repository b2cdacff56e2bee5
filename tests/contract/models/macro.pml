#ifndef N
#define N 2
#endif
byte n;

active proctype count()
{
  do
  :: n < N -> n++
  :: n >= N -> break
  od
}
