/* A trace block that the events of the model respect; its loop is a valid
 * end state by its label. */
/* expect: holds; states 25; transitions 34 */
mtype = { a, b };
chan c = [1] of { mtype, byte };
chan other = [1] of { byte };

trace {
end_trace:
  do
  :: c ! a, _; c ? a, _
  :: c ! b(1); c ? b, _
  od
}

active proctype S() { c ! a, 5; other ! 1; c ! b, 1; other ! 2; c ! a, 6 }

active proctype R() {
  mtype m; byte x;
end:
  do
  :: c ? m, x
  :: other ? x
  od
}
