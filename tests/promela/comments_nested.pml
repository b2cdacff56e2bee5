/* Comments do not nest: what is left of the outer one is dropped.  A long arrow
 * is an arrow. */
/* expect: holds; states 5; transitions 5 */
byte x;
/* outer /* inner */ */
active proctype P() {
  if
  :: x == 0 --> x = 1
  :: x-->x = 2
  :: else --> skip
  fi;
  /* a /* b */ */ x++ */
}
