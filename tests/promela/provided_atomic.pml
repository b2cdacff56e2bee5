/* provided with atomic and rendezvous: the condition turns false within an
 * atomic sequence, and a partner's clause is not asked in a handshake. */
/* expect end-states: violated; states 14; transitions 20 */
bool may = true;
chan c = [0] of { byte };
byte got;

active proctype A() provided (may) {
  atomic { may = false; got = 1; got = 2 };
  got = 3;
  c ! 7
}

active proctype B() {
  got > 0;
  may = true;
  byte x;
  c ? x;
  got = x
}

active proctype C() provided (got != 2) {
  byte y;
  do
  :: y < 2 -> y++
  :: else -> break
  od
}
