/* Labels at the very end of a body, on gotos, on blocks, several labels
 * in a row, and a goto as the only guard of an option. */
/* expect: holds; states 549; transitions 1054 */
byte a, b;

active [2] proctype P() {
  byte i;
first: second:
  i++;
  if
  :: i < 3 -> goto second
  :: i == 2 -> goto hop
  :: i >= 2 -> skip
  fi;
block: {
    a++;
    b = b + a
  };
  do
  :: a > 2 -> goto hop
  :: goto quit
  od;
hop: goto land;
  a = 100;
land:
  b++;
quit:
}
