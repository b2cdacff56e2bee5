/* To look for a message in a rendezvous channel is an error, also for a receive
 * that would leave it there. */
/* expect bounds: violated */
chan c = [0] of { byte };
chan other = [1] of { byte };
byte x;

active proctype A() {
  if
  :: c ! 1
  :: skip
  fi
}

active proctype B() {
  if
  :: c ? <x>
  :: skip
  fi
}
