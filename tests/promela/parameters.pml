/* Parameters of all kinds: several of one type, channels, structures'
 * fields as arguments, mtype; parameters may be assigned to. */
/* expect: holds; states 419; transitions 1010 */
mtype = { go, stop };
typedef pair { byte x; byte y }
pair ps[2];
chan out = [3] of { byte };

proctype P(byte a, b; short c; chan o; mtype m; bool f) {
  a = a + b;
  do
  :: m == go -> c = c - a; m = stop
  :: m == stop && f -> o ! c; f = false
  :: !f -> break
  od;
  b = 0
}

init {
  ps[0].x = 3;
  ps[1].y = 4;
  atomic {
    run P(ps[0].x, ps[1].y, -2, out, go, true);
    run P(ps[0].y, 255, ps[1].y, out, stop, 3)
  };
  byte v;
  out ? v;
  ps[0].y = v;
  out ? ps[1].x
}
