/* Arrays of channels, buffered and not, indexed by expressions. */
/* expect end-states: violated; states 59; transitions 93 */
#define N 3
chan q[N] = [1] of { byte };
chan sync[2] = [0] of { bit };
byte hops;

active [N] proctype node() {
  byte v;
  if
  :: _pid == 0 -> q[1] ! 1
  :: else
  fi;
  do
  :: q[_pid] ? v -> hops++;
     if
     :: v < 4 -> q[(_pid + 1) % N] ! v + 1
     :: v >= 4 -> skip
     fi
  :: _pid < 2 && hops > 2 -> sync[_pid] ! 1; break
  :: _pid == 2 && hops == 4 -> sync[0] ? _; sync[1] ? _; break
  od
}
