/* Using a channel variable that was never set is an error. */
/* expect bounds: violated */
chan c;
chan d = [1] of { byte };
byte x;

active proctype P() {
  if
  :: x = 1; c = d
  :: x = 2
  fi;
  c ! 3;
  x = 4
}
