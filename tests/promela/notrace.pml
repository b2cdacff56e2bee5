/* A notrace block describes what must not happen. */
/* expect: holds; states 11; transitions 12 */
chan c = [1] of { byte };

notrace {
  c ! 1;
  c ! 2;
  c ! 3
}

active proctype S() {
  c ! 1;
  if
  :: c ! 2
  :: c ! 4; c ! 2
  fi;
  c ! 5
}

active proctype R() {
  byte x;
end:
  do
  :: c ? x
  od
}
