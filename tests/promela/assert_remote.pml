/* Remote references and channel tests inside assertions. */
/* expect assertions: violated; states 97; transitions 176 */
chan c = [1] of { byte };
byte in;

active [2] proctype P() {
  byte mine;
  atomic { in == 0 -> in = 1; c ! _pid };
crit:
  mine = 3;
  c ? eval(_pid);
  in = 0
}

active proctype monitor() {
  assert(!(P[0]@crit && P[1]@crit));
  assert(P[0]:mine + P[1]:mine < 6 || empty(c));
  if
  :: c ? [0] -> assert(len(c) == 1 && P[0]@crit)
  :: else
  fi
}
