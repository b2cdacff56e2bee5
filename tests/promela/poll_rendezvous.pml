/* A poll of a rendezvous channel is an error. */
/* expect bounds: violated */
chan c = [0] of { byte };
byte b;

active proctype P() { c ! 3 }

active proctype Q() {
  if
  :: c ? [3] -> b = 4
  :: c ? b
  fi
}
