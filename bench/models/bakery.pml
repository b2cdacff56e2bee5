/* Lamport's bakery: each of N processes takes a number higher than all it sees
 * and waits for everybody with a smaller one.  Who would need a number beyond
 * MAX goes home, so that the state space is finite. */

#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 7
#endif

bool choosing[N];
byte number[N];
byte inside;

active [N] proctype customer() {
  byte j, most;

  do
  :: choosing[_pid] = true;
     most = 0;
     for (j : 0 .. N - 1) {
       if
       :: number[j] > most -> most = number[j]
       :: else
       fi
     }
     if
     :: most < MAX -> number[_pid] = most + 1
     :: else -> choosing[_pid] = false; break
     fi;
     choosing[_pid] = false;
     for (j : 0 .. N - 1) {
       !choosing[j];
       number[j] == 0 || number[j] > number[_pid] ||
         (number[j] == number[_pid] && j >= _pid)
     }
     inside++;
     assert(inside == 1);
     inside--;
     number[_pid] = 0
  od
}
