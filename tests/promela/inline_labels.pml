/* Labels and loops inside an inline that is called in several places. */
/* expect: holds; states 248; transitions 439 */
byte a, b;

inline climb(v, top) {
  v = v + 0;
retry:
  if
  :: v < top -> v++; goto retry
  :: v >= top -> goto quit
  :: v == 1 -> skip
  fi;
  v = v + 5;
quit:
  skip
}

active proctype P() { climb(a, 2) }

active proctype Q() { climb(b, 3); a = 0 }
