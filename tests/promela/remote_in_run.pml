/* Remote references to processes that were started at run time, by their
 * number. */
/* expect end-states: violated; states 21; transitions 24 */
pid who;
byte k;

proctype worker() {
  byte w;
idle:
  w++;
busy:
  w = w * 3
}

init {
  who = run worker();
  do
  :: worker[who]@busy -> k = k + 1; break
  :: worker[who]:w == 3 -> k = k + 2; break
  od;
  (_nr_pr == 1);
  k = k * 2
}
