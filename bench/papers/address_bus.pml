/* An asynchronous interface for addresses: sources raise a request, an arbiter
** grants one, the address goes over the bus in parts, and each part is
** acknowledged by a four-phase handshake.  In the spirit of Visser's
** asynchronous address interface. */

#ifndef N
#define N 3
#endif
#ifndef PARTS
#define PARTS 4
#endif

bool request[N], grant[N];
bool strobe, taken;
byte part, data;
byte got[PARTS];
byte owner = N;

active [N] proctype source()
{
  byte i;
  do
  :: request[_pid] = true;
     grant[_pid];
     i = 0;
     do
     :: i < PARTS ->
        !taken;
        atomic { data = _pid + 1; part = i; strobe = true };
        taken;
        strobe = false;
        i++
     :: else -> break
     od;
     !taken;
     atomic { request[_pid] = false; i = 0 };
     !grant[_pid]
  od
}

active proctype arbiter()
{
  byte t;
  do
  :: atomic { owner == N -> select(t : 0 .. N - 1);
       if
       :: request[t] -> owner = t; grant[t] = true
       :: else
       fi;
       t = 0 }
  :: atomic { owner < N && !request[owner] ->
       grant[owner] = false; owner = N }
  od
}

active proctype sink()
{
  do
  :: atomic { strobe && !taken -> got[part] = data };
     taken = true;
     !strobe;
     taken = false
  od
}
