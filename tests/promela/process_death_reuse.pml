/* Numbers of dead processes are given again; an old process that ended
 * blocks the numbers of younger ones. */
/* expect: holds; states 2768; transitions 7750 */
pid last;
byte made;

proctype worker(byte kind) {
  last = _pid;
  if
  :: kind == 0 -> skip
  :: kind == 1 -> made > 3
  fi
}

init {
  pid p;
  do
  :: made < 4 && _nr_pr < 4 ->
     p = run worker(made % 2);
     made++;
     assert(p > 0 && p < 4)
  :: made == 4 -> break
  od;
  last = 0
}
