/* A scheduler of a small kernel: tasks wait, become ready by an interrupt, run
** for a slice of time, and are put back or block.  A task that takes a message
** while running may wake another.  In the spirit of Visser's scheduler. */

#ifndef N
#define N 5
#endif
#ifndef SLICE
#define SLICE 3
#endif

mtype = { blocked, ready, running };

mtype state[N];
byte queue[N];
byte length;
byte current = N; /* N: nobody */
byte left;
bool mail[N];

inline put(t)
{
  queue[length] = t;
  length++;
  state[t] = ready
}

active proctype kernel()
{
  byte i;
  do
  :: d_step {
       current == N && length > 0 ->
       current = queue[0];
       i = 0;
       do
       :: i + 1 < length -> queue[i] = queue[i + 1]; i++
       :: else -> break
       od;
       length--;
       queue[length] = 0;
       i = 0;
       state[current] = running;
       left = SLICE
     }
  :: d_step { current < N && left > 0 -> left-- }
  :: d_step { current < N && left == 0 -> put(current); current = N }
  od
}

active proctype tasks()
{
  byte to;
init_all:
  d_step {
    to = 0;
    do
    :: to < N -> state[to] = blocked; to++
    :: else -> break
    od;
    to = 0
  }
  do
  :: d_step { current < N && mail[current] -> mail[current] = false }
  :: d_step { current < N && !mail[current] ->
       state[current] = blocked; current = N; left = 0 }
  :: atomic { current < N -> select(to : 0 .. N - 1);
       d_step {
         if
         :: to != current && !mail[to] -> mail[to] = true;
            if
            :: state[to] == blocked -> put(to)
            :: else
            fi
         :: else
         fi;
         to = 0
       } }
  od
}

active proctype interrupts()
{
  byte t;
  do
  :: atomic { length < N -> select(t : 0 .. N - 1);
       d_step {
         if
         :: state[t] == blocked -> put(t)
         :: else
         fi;
         t = 0
       } }
  od
}
