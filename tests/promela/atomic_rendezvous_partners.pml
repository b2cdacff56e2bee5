/* Several possible partners of a handshake out of an atomic sequence, some
 * atomic themselves and some not. */
/* expect end-states: violated; states 560; transitions 988 */
chan c = [0] of { byte };
byte a, b, n;

active proctype S() {
  atomic {
    n = 1;
    if
    :: c ! 1 -> n = 2; n = 3
    :: c ! 2; n = 4
    fi;
    n = n + 10
  };
  c ! 3;
  n = 0
}

active [2] proctype R() {
  byte x;
  atomic { c ? x; a = a + x; a = a * 2 };
  b = b + x
}

active proctype Q() {
  byte x;
  if
  :: c ? x; b = x; a = b
  :: c ? 2; b = 9
  :: n == 14 -> skip
  fi;
  b++
}
