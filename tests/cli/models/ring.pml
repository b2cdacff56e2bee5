/* Messages over buffered channels and a rendezvous; the receiver waits for
** one more than there is. */
mtype = { ask, answer, stop };
chan request = [2] of { mtype, byte };
chan reply = [0] of { mtype };
byte total;

active proctype client()
{
  byte i = 1;
  do
  :: i <= 2 -> request!ask(i); i++; reply?answer
  :: else -> break
  od;
  request!stop(0);
  request!stop(0);
  reply?stop
}

active proctype server()
{
  byte n;
  do
  :: request?ask(n) -> total = total + n; reply!answer
  :: request?stop(_) -> break
  od;
  printf("total %d\n", total)
}
