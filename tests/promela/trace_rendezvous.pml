/* A trace over a rendezvous channel and a buffered one. */
/* expect: violated(invalid end state); states 11; transitions 13 */
chan r = [0] of { byte };
chan b = [1] of { byte };
byte n;

trace {
end1: do
  :: r ! 1; b ! 1
  :: r ! 2; r ! 3
  od
}

active proctype S() {
  if
  :: r ! 1; b ! 1
  :: r ! 2; r ! 3
  fi;
  n++;
  r ! 1;
  b ! 1
}

active proctype R() {
end:
  do
  :: r ? _
  :: b ? _
  :: n == 1 -> n = 0
  od
}
