/* pid variables in arrays, channels and parameters. */
/* expect: holds; states 169; transitions 317 */
pid order[3], next;
chan turn = [1] of { pid };

proctype guest(pid host) {
  assert(host == 0);
  turn ! _pid;
  order[_pid - 1] = host + _pid
}

init {
  pid p, q;
  p = run guest(_pid);
  q = run guest(_pid);
  turn ? next;
  if
  :: next == p -> turn ? eval(q); order[2] = 1
  :: next == q -> turn ? eval(p); order[2] = 2
  fi;
  p = -1;
  assert(p == 255)
}
