/* else is taken exactly when all other options are blocked, at any place
 * in the list, and with nested selections as options. */
/* expect: holds; states 354; transitions 615 */
byte x, taken;

active [2] proctype P() {
  byte i;
  do
  :: i < 3 ->
     if
     :: else -> taken++
     :: x == 1 -> x = 2
     :: x == 2 && i > 0 -> x = 0
     fi;
     i++
  :: else -> break
  od;
  if
  :: if
     :: x == 0 -> x = 1
     :: x == 2 -> x = 3
     fi
  :: else -> taken = 0
  fi
}
