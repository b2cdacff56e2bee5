/* Sends and receives as guards of one selection: a process never shakes
 * hands with itself. */
/* expect end-states: violated; states 4667; transitions 10918 */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte log;

active [3] proctype P() {
  byte x, n;
  do
  :: n < 2 -> if
              :: a ! _pid
              :: a ? x; log = log + x
              :: b ! _pid + 3; n = 1
              fi;
              n++
  :: n < 2 && log > 1 -> b ? x; n++
  :: n == 2 -> break
  od
}
