/* else next to options that poll channels and to options that receive. */
/* expect: holds; states 364; transitions 588 */
chan c = [2] of { byte };
chan d = [1] of { byte, byte };
byte got, idle;

active proctype reader() {
  byte x;
  do
  :: c ? [5] -> c ? x; got = got + x
  :: nempty(d) -> d ? x, _; got = x
  :: full(c) -> c ? x
  :: else -> idle++; if :: idle > 3 -> break :: else fi
  od;
  do
  :: c ? x -> got++
  :: len(c) == 0 -> break
  od
}

active proctype writer() {
  c ! 4;
  if
  :: nfull(c) -> c ! 5
  :: else -> d ! 1, 1
  fi;
  if
  :: d ! 2, 3
  :: else -> idle = 0
  fi
}
