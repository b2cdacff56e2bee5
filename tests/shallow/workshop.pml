/* A planner that tries all orders of work; the last way out of its first choice
** ends where nothing is planned.
** expect end-states: violated */

#define STEP(i, j, w, n) :: d_step { busy[i] == 0 && idle[j] == w; \
  busy[i] = 1; idle[j] = n; clock[i]++ }

byte busy[4];
byte idle[4];
int clock[4];

active proctype Planner()
{
  do
  STEP(0, 0, 0, 1) STEP(0, 1, 0, 2) STEP(0, 2, 1, 3) STEP(0, 3, 0, 1)
  STEP(1, 0, 1, 2) STEP(1, 1, 2, 0) STEP(1, 2, 0, 1) STEP(1, 3, 1, 2)
  STEP(2, 0, 2, 0) STEP(2, 1, 0, 1) STEP(2, 2, 3, 0) STEP(2, 3, 2, 0)
  STEP(3, 0, 0, 3) STEP(3, 1, 1, 0) STEP(3, 2, 0, 2) STEP(3, 3, 0, 2)
  :: d_step { busy[0] + busy[1] + busy[2] + busy[3] > 0;
       busy[0] = 0; busy[1] = 0; busy[2] = 0; busy[3] = 0 }
  :: busy[3] == 0 && idle[3] == 0 &&
     clock[0] + clock[1] + clock[2] + clock[3] >= 0 -> goto planned
  od;
planned:
  false
}
