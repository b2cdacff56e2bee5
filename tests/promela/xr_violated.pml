/* Two processes receive from a channel that one of them claimed. */
/* expect assertions: violated */
chan c = [2] of { byte };

active proctype S() { c ! 1; c ! 2 }

active proctype R() {
  xr c;
  byte x;
  c ? x
}

active proctype T() {
  byte y;
  c ? y;
  y++
}
