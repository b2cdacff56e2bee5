/* Conditional expressions (c -> a : b), nested, in guards, in indices,
 * as arguments of run and in sends. */
/* expect end-states: violated; states 693; transitions 1475 */
byte a[2];
chan c = [2] of { byte };

proctype P(byte k) {
  byte x;
  a[(k > 1 -> 1 : 0)] = (k == 1 -> 10 : (k == 2 -> 20 : 30));
  c ! (len(c) == 0 -> k : k + 100);
  if
  :: (k == 3 -> a[0] == 10 : 1) -> x = (a[0] > a[1] -> 1 : 2)
  :: (a[1] -> 0 : 1) -> x = 9
  fi;
  a[0] = a[0] + x
}

init {
  byte i = 0;
  do
  :: i < 2 -> i++; run P((i == 2 -> i + 1 : i))
  :: i == 2 -> break
  od;
  c ? i;
  (i > 50 -> true : len(c) > 0) -> c ? i
}
