/* Escapes through a rendezvous: sender in the escape, receiver in the
 * escape, and a handshake in the main sequence beside an escape. */
/* expect end-states: violated; states 104; transitions 218 */
chan hs = [0] of { byte };
chan hs2 = [0] of { byte };
byte a, b, c;

active proctype P() {
  { a = 1; hs ! 5; a = 2 } unless { hs2 ! 1; a = 7 };
  a = a + 10
}

active proctype Q() {
  { b = 1; b = 2; hs ? b } unless { hs2 ? b };
  b = b + 10
}

active proctype R() {
  byte v;
  { do :: c < 2 -> c++ :: hs ? v -> break od } unless { c == 2 };
  c = c + v;
  if
  :: hs2 ? v -> c = 50
  :: hs2 ! 3
  :: timeout
  fi
}
