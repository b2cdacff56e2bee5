/* A loop without progress that is fair to all, beside a way out of it: SPIN
 * misses it when it is to be fair. */
/* expect non-progress: violated */
/* expect non-progress: violated; with --fair weak */
/* expect non-progress: violated; with --fair strong */
chan q = [2] of { byte };

active proctype A() {
  do
  :: q?1; progress: q!0
  od
}

active proctype C() {
  q!1;
  do
  :: q?0; q!0
  :: break
  od
}
