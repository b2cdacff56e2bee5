/* Leader election in a ring that sends one way: N active nodes, in each round
 * only those survive whose left neighbour had the local maximum (Dolev, Klawe,
 * Rodeh 1982; Peterson 1982).  Around the ring the numbers grow by STEP, which
 * must have no divisor in common with N; where they start is open. */

#ifndef N
#define N 5
#endif
#ifndef STEP
#define STEP 2
#endif

mtype = { one, two, winner };
chan to[N] = [2] of { mtype, byte };
byte leaders;

proctype node(byte place; byte mine) {
  bool active_node = true, known;
  byte maximum = mine, left, number;

  to[(place + 1) % N] ! one(mine);
  do
  :: to[place] ? one(number) ->
     if
     :: active_node && number != maximum ->
        left = number;
        to[(place + 1) % N] ! two(number)
     :: active_node && number == maximum ->
        known = true;
        to[(place + 1) % N] ! winner(number)
     :: else -> to[(place + 1) % N] ! one(number)
     fi
  :: to[place] ? two(number) ->
     if
     :: active_node && left > number && left > maximum ->
        maximum = left;
        to[(place + 1) % N] ! one(left)
     :: active_node && !(left > number && left > maximum) ->
        active_node = false
     :: else -> to[(place + 1) % N] ! two(number)
     fi
  :: to[place] ? winner(number) ->
     assert(number == N);
     if
     :: mine == number -> leaders++; assert(leaders == 1)
     :: else
     fi;
     if
     :: known
     :: else -> to[(place + 1) % N] ! winner(number)
     fi;
     break
  od
}

init {
  byte place, first;

  atomic {
    select (first : 0 .. N - 1);
    for (place : 0 .. N - 1) {
      run node(place, 1 + (place * STEP + first) % N)
    }
  }
}
