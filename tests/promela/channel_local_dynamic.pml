/* Channels of processes that are started and end: a channel goes away with
 * the process that made it. */
/* expect: holds; states 622; transitions 1539 */
chan boss = [1] of { chan };
byte done, sum;

proctype worker(byte k) {
  chan mine = [1] of { byte };
  byte v;
  boss ! mine;
  mine ? v;
  sum = sum + v * k;
  done++
}

init {
  chan w;
  byte i;
  do
  :: i < 3 -> i++;
     run worker(i);
     boss ? w;
     w ! i + 1;
     if
     :: _nr_pr == 1
     :: skip
     fi
  :: i == 3 -> break
  od;
  _nr_pr == 1 -> assert(done == 3)
}
