/* Labels and loops inside an inline that is called in several places, twice
 * by one process. */
/* expect: holds; states 582; transitions 1041 */
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

active proctype P() { climb(a, 2); climb(b, 1) }

active proctype Q() { climb(b, 3); a = 0 }
