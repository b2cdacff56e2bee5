/* Leader election in a ring of N processes that send in one direction.
 *
 * Each process has a number of its own, and knows only its neighbour.  It
 * sends its number on; numbers smaller than one's own are swallowed; who sees
 * his own number come back is the largest, and announces it.
 *
 * The numbers around the ring are chosen in every possible way, so that one
 * check answers for all arrangements. */
/* expect: holds; states 798; transitions 1521 */

#ifndef N
#define N 3
#endif

mtype = { candidate, leader };

chan to[N] = [N] of { mtype, byte };
byte leaders, agreed;

proctype node(byte place; byte mine) {
  byte number;

  to[(place + 1) % N] ! candidate(mine);
  do
  :: to[place] ? candidate(number) ->
     if
     :: number > mine -> to[(place + 1) % N] ! candidate(number)
     :: number < mine -> skip
     :: number == mine ->
        leaders++;
        assert(mine == N && leaders == 1);
        to[(place + 1) % N] ! leader(mine)
     fi
  :: to[place] ? leader(number) ->
     assert(number == N);
     agreed++;
     if
     :: number != mine -> to[(place + 1) % N] ! leader(number)
     :: else -> skip
     fi;
     break
  od
}

init {
  byte i, k, pass;
  bool given[N];

  atomic {
    for (i : 0 .. N - 1) {
      /* Any of the N - i numbers that are still free. */
      select (pass : 0 .. N - 1 - i);
      k = 1;
      do
      :: given[k - 1] -> k++
      :: !given[k - 1] && pass > 0 -> pass--; k++
      :: else -> break
      od;
      given[k - 1] = true;
      run node(i, k)
    }
  };
  _nr_pr == 1;
  assert(leaders == 1 && agreed == N)
}
