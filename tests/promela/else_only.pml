/* Selections whose only option is else, and else with skip or break. */
/* expect: holds; states 2748; transitions 4433 */
byte x;

active [2] proctype P() {
  if
  :: else -> x++
  fi;
  do
  :: else -> x = x + 2; break
  od;
  do
  :: x > 4 -> x--
  :: else -> break
  od;
  if
  :: x > 3 -> x = 0
  :: else -> skip
  fi;
  if :: else fi
}
