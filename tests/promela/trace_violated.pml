/* A trace block that one of the runs breaks. */
/* expect assertions, end-states: violated */
mtype = { a, b };
chan c = [2] of { mtype };

trace {
  do
  :: c ! a; c ! b
  od
}

active proctype S() {
  byte i;
  do
  :: i < 2 -> i++; if :: c ! a; c ! b :: c ! b; c ! a fi
  :: i == 2 -> break
  od
}

active proctype R() {
end:
  do
  :: c ? _
  od
}
