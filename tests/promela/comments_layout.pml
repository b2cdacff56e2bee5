/* Comments of both kinds, anywhere; several statements on a line; names with
 * digits and underscores. */
/* expect: holds; states 82; transitions 132 */
byte /* here */ x_1 = /* and here */ 3; // to the end
byte Y2y; /* a // within */ // a /* within
active proctype _p1 /* name */ ( ) { // body
  x_1 /* lhs */ = x_1 + /* rhs */ 1 ; Y2y = 2 /* no ; */ ;;
  if /* none */ :: x_1 > 3 /* guard */ -> /* arrow */ Y2y ++ :: else -> Y2y -- fi ; // end
  do :: Y2y > 0 -> Y2y = Y2y - 1 :: Y2y == 0 -> break od }
active proctype q() { x_1 = 0 ; x_1 = 9 }
