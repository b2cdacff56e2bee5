/* A remote reference without a number means the first living process of the
 * type. */
/* expect end-states: violated; states 319; transitions 564 */
byte k, seen;

proctype P(byte v) {
  byte mine = v;
here:
  mine = mine + 10;
there:
  mine = 0
}

init {
  run P(1);
  run P(2);
  do
  :: P:mine == 11 -> seen = seen + 1; break
  :: P@there -> seen = seen + 2; break
  :: P@here && k < 3 -> k = k + P:mine + 1
  od
}
