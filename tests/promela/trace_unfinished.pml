/* A trace block that is respected but not at its end when the model has
 * stopped: an invalid end state. */
/* expect end-states: violated; states 7; transitions 7 */
chan c = [1] of { byte };

trace {
  do
  :: c ! 1; c ! 2
  od
}

active proctype S() {
  c ! 1;
  c ! 2;
  c ! 1
}

active proctype R() {
end:
  do
  :: c ? _
  od
}
