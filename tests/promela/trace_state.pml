/* The position in the trace block is part of the state: the same model
 * states are counted once per position. */
/* expect: holds; states 55; transitions 100 */
chan c = [1] of { bit };
byte n;

trace {
end0:
  c ! 0;
end1:
  c ! 0;
end2:
  do
  :: c ! _
  od
}

active proctype S() {
  do
  :: c ! 0
  :: n < 2 -> n++
  :: n == 2 -> break
  od
}

active proctype R() {
end:
  do
  :: c ? _
  :: n == 1 -> n = 0
  od
}
