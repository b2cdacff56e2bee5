/* A process that has ended stays until all younger ones are gone; the
 * number of processes shows it. */
/* expect: holds; states 169; transitions 274 */
byte n, seen;

proctype child(byte k) {
  if
  :: n == k -> n++
  :: n > 3 -> skip
  fi
}

init {
  atomic {
    run child(2);
    run child(1);
    run child(0)
  };
  seen = _nr_pr;
  _nr_pr < 4 -> seen = seen * 10 + _nr_pr;
  _nr_pr < 3 -> seen = seen + _nr_pr;
  _nr_pr == 1 -> seen = n
}
