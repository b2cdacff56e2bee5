/* Tokens through a row of processes with handshakes, one process for each
 * link, made at run time. */
/* expect end-states: violated; states 15026; transitions 29673 */
#define N 3
chan link[4] = [0] of { byte };
byte result;

proctype stage(byte k) {
  byte v;
  do
  :: link[k] ? v; if
                  :: v == 0 -> link[k + 1] ! 0; break
                  :: v > 0 -> link[k + 1] ! v - 1
                  fi
  od
}

init {
  byte i, v;
  atomic {
    do
    :: i < N -> run stage(i); i++
    :: i == N -> break
    od
  };
  do
  :: link[0] ! i + 1
  :: link[N] ? v; result = result + v + 1; if :: v == 0 -> break :: else fi
  :: result > 2 -> link[0] ! 0; break
  od
}
