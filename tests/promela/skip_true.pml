/* Expression statements: skip, constants, blocked falsehood behind a
 * choice, and conditions on run-time values. */
/* expect end-states: violated; states 13; transitions 13 */
byte a;

active proctype P() {
  if
  :: false -> a = 1
  :: 0 -> a = 2
  :: 1 -> a = 3
  :: -1 -> a = 4
  :: a - 5 -> a = 5
  fi;
  a == 3 || a == 4;
  a++;
  a - 4
}
