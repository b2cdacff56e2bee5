/* Statements in all forms that a report shows in the user's words. */
#define N 2
#define inc(x) x = x+1
#define both turn = 1; turn = 2
#define go (turn == 2)
byte x, turn;
bool b;
chan c = [2] of {byte};

inline put(v) { c!v; x++ }

active proctype P() {
  byte i, got;
  for (i : 1 .. N) { x++ }
  atomic { b = true; skip; b = false }
  put(i+1);
  inc(x);
  both;
  c ? got; /* what was sent */
  select (i : 1 .. 1);
  if
  :: i == 0 -> skip
  :: else
  fi;
L: ;
  if
  :: go
  fi;
  (x /* not the
        other */ > 2) -> x = (x << 1) & 7;
  d_step { x = 2; turn = 1 }
  run Q();
  printf("hello; /* %d */\n", x);
  assert(x ==
         1)
}

proctype Q() {
  nfull(c) -> x--
}
