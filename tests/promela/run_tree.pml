/* run as a guard, inside if and atomic; a process that starts processes
 * which start processes. */
/* expect: holds; states 91; transitions 135 */
byte depth, leaves;

proctype tree(byte d) {
  if
  :: d > 0 -> run tree(d - 1); depth = d
  :: d == 0 -> leaves++
  :: d == 2 -> if
               :: run tree(0) -> run tree(0)
               :: run tree(1)
               fi
  fi
}

init {
  if
  :: run tree(2)
  :: run tree(1) -> depth = 7
  fi;
  atomic { _nr_pr == 1 -> depth = depth + leaves }
}
