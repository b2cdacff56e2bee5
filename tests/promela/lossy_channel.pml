/* A sender with retransmission over a channel that may lose messages. */
/* expect: holds; states 50; transitions 59 */
mtype = { data, ack };
chan toR = [1] of { mtype, bit, byte };
chan toS = [1] of { mtype, bit };
byte delivered;

active proctype sender() {
  bit b;
  byte n = 1;
  do
  :: n <= 3 ->
again:
     if
     :: toR ! data, b, n
     :: skip
     fi;
     if
     :: toS ? ack, eval(b) -> b = 1 - b; n++
     :: toS ? ack, eval(1 - b) -> goto again
     :: timeout -> goto again
     fi
  :: n == 4 -> break
  od
}

active proctype receiver() {
  bit want, b;
  byte v;
end:
  do
  :: toR ? data, b, v ->
     if
     :: b == want -> assert(v == delivered + 1); delivered = v; want = !want
     :: else
     fi;
     if
     :: toS ! ack, b
     :: skip
     fi
  od
}
