/* Receives that ask for constants, mtypes and eval'ed values block unless
 * the first message fits. */
/* expect: holds; states 51; transitions 69 */
mtype = { req, ack, nak };
chan c = [2] of { mtype, byte };
byte want = 1, n, bad;

active proctype S() {
  c ! req, 1;
  c ! ack, 2;
  c ! nak, 1;
  c ! req(2);
  c ! ack, 300
}

active proctype R() {
  byte v;
  do
  :: c ? req, eval(want) -> n = n + 1
  :: c ? ack(v) -> want = v; n = n + 10
  :: c ? nak, 1 -> n = n + 100
  :: c ? req, 2 -> bad++; if :: want = 1 :: skip fi
  :: timeout -> break
  od;
  assert(len(c) == 0)
}
