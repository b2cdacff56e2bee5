/* active [n], several active proctypes and init together: numbers go in
 * order of declaration, init takes its place in it. */
/* expect: holds; states 17352; transitions 33107 */
byte order[6];
byte k;

active [2] proctype A() { atomic { order[_pid] = 1 + k; k++ } }

init { atomic { order[_pid] = 10 + k; k++ }; assert(_pid == 2) }

active [3] proctype B(byte zero) {
  assert(zero == 0 && _pid > 2);
  atomic { order[_pid] = 20 + k; k++ }
}
