/* Two versions: the new one serves another way, may stop, and may fail. */
mtype = { idle, busy, done };
mtype state = idle;
byte n;
chan out = [1] of { mtype };
chan meet = [0] of { byte };
byte only_old;

active proctype worker()
{
  do
  :: n < 2 -> state = busy; n++; out!done; out?done; state = idle
  od
}
