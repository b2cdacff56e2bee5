/* Peterson's filter lock of lock.c, for at most six processes.
   expect: holds; with --fair weak
*/

#ifndef N
#define N 3
#endif

byte level[N], last[N], inside;

#define below(k) (k >= N || k == _pid || level[k % N] < level[_pid])
#define may_pass (last[level[_pid]] != _pid || \
  (below(0) && below(1) && below(2) && below(3) && below(4) && below(5)))

active [N] proctype P()
{
idle:
  level[_pid] = 1;
came:
  last[level[_pid]] = _pid;
waits:
  if
  :: d_step { level[_pid] < N - 1 && may_pass -> level[_pid]++ }; goto came
  :: d_step { level[_pid] == N - 1 && may_pass -> inside++ }
  fi;
critical:
  d_step { inside--; level[_pid] = 0 };
  goto idle
}

ltl exclusion { [] (inside <= 1) }
ltl enters { [] (level[0] == 1 -> <> P[0]@critical) }
