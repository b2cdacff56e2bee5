/* In a trace a break, a goto and the empty statement behind a label each take
 * an event, whatever it is. */
/* expect: holds; states 6; transitions 6 */
chan c = [4] of { byte };

active proctype A() {
  c ! 7;
  c ! 1;
  c ! 9;
  c ! 2
}

trace {
  do
  :: break
  od;
  c ! 1;
L: ;
  if
  :: goto done
  fi;
done:
  c ! 2
}
