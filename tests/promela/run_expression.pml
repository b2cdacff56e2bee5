/* run gives the number of the new process, in assignments and as a
 * statement, by processes that were started themselves. */
/* expect: holds; states 294; transitions 548 */
byte sum;
pid who[3];

proctype leaf(byte v) { sum = sum + v * _pid }

proctype node(byte v) {
  pid a;
  a = run leaf(v);
  who[v] = run leaf(v + 1);
  who[v] = who[v] - a
}

init {
  pid p;
  p = run node(1);
  assert(p == 1);
  (run leaf(9));
  _nr_pr == 1
}
