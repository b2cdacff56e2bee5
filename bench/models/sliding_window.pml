/* Go-back-N over two lines that lose messages: at most W frames under way, their
 * numbers modulo W + 1, and a payload that tells whether order is kept.  The
 * payload counts modulo P. */

#ifndef W
#define W 3
#endif
#ifndef P
#define P 6
#endif
#define M (W + 1)

chan line = [W] of { byte, byte };      /* number, payload */
chan acks = [W] of { byte };            /* last number in order */

active proctype sender() {
  byte oldest, payload;     /* number of the oldest frame under way, its load */
  byte out, i, a;           /* how many are under way */

  do
  :: out < W ->
     line ! (oldest + out) % M, (payload + out) % P;
     out++
  :: acks ? a ->
     i = (a + 1 + M - oldest) % M;
     if
     :: i <= out ->
        oldest = (oldest + i) % M;
        payload = (payload + i) % P;
        out = out - i
     :: else
     fi
  :: out > 0 && empty(line) ->        /* send all of them again */
     i = 0;
     do
     :: i < out ->
        line ! (oldest + i) % M, (payload + i) % P;
        i++
     :: else -> break
     od
  od
}

active proctype receiver() {
  byte expected, want, number, load;

  do
  :: line ? number, load ->
     if
     :: number == expected ->
        assert(load == want);
        expected = (expected + 1) % M;
        want = (want + 1) % P
     :: else
     fi;
     acks ! (expected + M - 1) % M
  od
}

active proctype thief() {
  do
  :: line ? _, _
  :: acks ? _
  od
}
