/* len, full, empty and their negations on channels of length 0, 1 and 3,
 * and on arrays of channels. */
/* expect end-states: violated; states 10127; transitions 18025 */
chan a = [1] of { bit };
chan b[2] = [2] of { byte, byte };
byte seen;

active proctype fill() {
  do
  :: nfull(a) -> a ! 1
  :: nfull(b[0]) -> b[0] ! len(b[0]), len(b[1])
  :: full(b[0]) -> b[1] ! len(a), 9
  :: full(a) && full(b[0]) && len(b[1]) == 1 -> break
  od
}

active proctype drain() {
  byte x, n;
  do
  :: n < 3 && nempty(b[0]) -> b[0] ? x, _; n++; seen = seen + x
  :: n < 3 && len(b[1]) > 1 -> b[1] ? x, 9; n++
  :: empty(a) -> a ! 0; break
  :: n == 3 -> break
  od
}
