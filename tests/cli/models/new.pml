/* See old.pml. */
mtype = { broken, done, busy, idle };
mtype state = idle;
byte n;
chan out = [1] of { mtype };
chan meet = [0] of { byte };
int only_new;

active proctype worker()
{
  do
  :: n < 2 -> only_new++; state = busy; n++; out!done; out?done; state = idle
  :: n == 1 && only_new == 1 -> state = broken; assert(false)
  od
}
