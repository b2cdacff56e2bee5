/* len, empty, nempty, full and nfull of a rendezvous channel. */
/* expect: holds; states 15; transitions 15 */
chan c = [0] of { byte };
byte a, n;

active proctype P() {
  if
  :: empty(c) -> a = 1
  :: full(c) -> a = 2
  :: nempty(c) -> a = 3
  :: nfull(c) -> a = 4
  fi;
  n = len(c);
  c ! a
}

active proctype Q() {
  byte x;
  if
  :: len(c) > 0 -> a = 50
  :: nempty(c) -> a = 60
  :: c ? x
  fi;
  n = n + x
}
