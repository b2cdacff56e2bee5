/* A notrace block whose whole sequence happens in one of the runs. */
/* expect assertions: violated */
chan c = [1] of { byte };

notrace {
  c ! 1;
  c ! 2
}

active proctype S() {
  c ! 1;
  if
  :: c ! 2
  :: c ! 3; c ! 4
  fi
}

active proctype R() {
  byte x;
end:
  do
  :: c ? x
  od
}
