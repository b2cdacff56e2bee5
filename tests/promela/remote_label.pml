/* Remote references to labels in expressions: P@L and P[i]@L. */
/* expect end-states: violated; states 123; transitions 261 */
byte n;

active [2] proctype P() {
ncs:
  n++;
cs:
  n--;
out:
  skip
}

active proctype W() {
  byte k;
  do
  :: P[0]@cs && P[1]@cs -> k = 1; break
  :: P[0]@ncs && k < 2 -> k = k + 2
  :: P[1]@out -> k = k + 10; break
  od
}
