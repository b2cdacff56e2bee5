/* Labels before if, do, atomic, blocks and unless, with jumps back to
 * each of them. */
/* expect: holds; states 84; transitions 121 */
byte n, k;

active proctype P() {
L0: if
  :: n == 0 -> n = 1
  :: n > 0 -> n++
  fi;
  if :: n < 3 -> goto L0 :: n >= 2 fi;
L1: atomic { k = n; n = 0; k++ };
  if :: k < 3 -> goto L1 :: else fi;
  d_step { n = k; k = 0 };
L2: { n--; if :: n > 2 -> goto L2 :: n > 3 -> goto L1 :: else fi };
L3: { byte t = 4; n = t } unless { k == 1 };
  if :: n == 4 && k == 0 -> k = 1; goto L3 :: else -> goto L5 fi;
L4: do
  :: k > 0 -> k--; if :: k == 0 -> break :: else -> goto L4 fi
  od;
L5: printf("over\n")
}

active proctype Q() {
  do
  :: n == 4 -> n = 2
  :: k == 1 -> k = 2; break
  :: timeout -> break
  od
}
