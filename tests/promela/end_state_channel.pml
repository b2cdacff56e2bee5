/* An end state with messages left in a channel is valid; one with a process
 * stuck in the middle is not. */
/* expect end-states: violated; states 17; transitions 24 */
chan c = [3] of { byte };

active proctype S() { c ! 1; c ! 2; c ! 3 }

active proctype R() {
  byte x;
  if
  :: c ? x
  :: c ? x; c ? x; c ? x; c ? x
  fi
}
