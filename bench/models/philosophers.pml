/* N philosophers who take their forks in any order they like, but put the first
 * one back when the second is missing.  Forks are channels with one message. */

#ifndef N
#define N 7
#endif

chan fork[N] = [1] of { bit };
byte meals;     /* counted modulo 3 */

#define LEFT  fork[_pid]
#define RIGHT fork[(_pid + 1) % N]

active [N] proctype philosopher() {
  LEFT!1;       /* everybody brings a fork */
think:
  do
  :: LEFT?1 ->
     if
     :: RIGHT?1 -> goto eat
     :: empty(RIGHT) -> LEFT!1
     fi
  :: RIGHT?1 ->
     if
     :: LEFT?1 -> goto eat
     :: empty(LEFT) -> RIGHT!1
     fi
  od;
eat:
  meals = (meals + 1) % 3;
  LEFT!1;
  RIGHT!1;
  goto think
}
