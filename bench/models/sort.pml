/* A pipeline that sorts: N numbers, in any order out of 1 .. K, pass N cells;
 * each cell keeps the largest it has seen and hands the smaller one on. */

#ifndef N
#define N 4
#endif
#ifndef K
#define K 3
#endif
#ifndef ROOM
#define ROOM 2
#endif

chan link[N + 1] = [ROOM] of { byte };
byte kept[N];

active proctype source() {
  byte i, v;

  for (i : 1 .. N) {
    select (v : 1 .. K);
    link[0] ! v
  }
}

active [N] proctype cell() {
  byte v, k = _pid - 1, n;

  do
  :: n < N - k ->
     link[k] ? v;
     n++;
     if
     :: n == 1 -> kept[k] = v
     :: n > 1 && v > kept[k] -> link[k + 1] ! kept[k]; kept[k] = v
     :: n > 1 && v <= kept[k] -> link[k + 1] ! v
     fi
  :: else -> break
  od
}

active proctype judge() {
  byte i;

  _nr_pr == N + 2 && timeout;
  for (i : 1 .. N - 1) {
    assert(kept[i - 1] >= kept[i])
  }
}
