/* expect: 8:16: error: jump into a d_step
   expect: 10:21: error: jump out of a d_step
*/
byte x;
init {
  d_step { x = 1; inside: x = 2 };
  if
  :: x == 2 -> goto inside
  :: else ->
    d_step { x = 3; goto outside; x = 4 };
  fi;
outside:
  x = 5
}
