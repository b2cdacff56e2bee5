/* Dijkstra's self-stabilising ring of N machines with K values each (1974),
 * started in every possible configuration.  Each machine reads its neighbour
 * and writes its own value in two steps. */

#ifndef N
#define N 5
#endif
#ifndef K
#define K 5
#endif

byte value[N];
bool ready;

active proctype bottom() {
  byte seen;

  ready;
  do
  :: seen = value[N - 1];
     if
     :: seen == value[0] -> value[0] = (seen + 1) % K
     :: else
     fi
  od
}

active [N - 1] proctype machine() {
  byte seen;

  ready;
  do
  :: seen = value[_pid - 1];
     if
     :: seen != value[_pid] -> value[_pid] = seen
     :: else
     fi
  od
}

active proctype start() {
  byte i, v;

  atomic {
    for (i : 0 .. N - 1) {
      select (v : 0 .. K - 1);
      value[i] = v
    }
    ready = true
  }
}
