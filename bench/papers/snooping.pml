/* Caches that listen to each other: N processors, each with a cache for one
** line, and a bus that serves one request at a time.  A cache that wants the
** line asks the bus; the bus tells all others, which give up what they hold and
** say so, and then grants the line.  A cache that waits for the bus still
** listens.  After the snoopy protocol of SPIN's examples, which Visser, and
** Geldenhuys and de Villiers, measured. */

#ifndef N
#define N 2
#endif
#ifndef Q
#define Q 1
#endif

mtype = { read, write, done, share, own, grant, invalid, shared, modified };

chan ask[N] = [Q] of { mtype };
chan answer[N] = [Q] of { mtype };
chan request[N] = [Q] of { mtype };
chan granted[N] = [Q] of { mtype };
chan snoop[N] = [Q] of { mtype };
chan heard = [N] of { byte };
mtype line[N] = invalid;

proctype processor(byte me)
{
  do
  :: ask[me] ! read; answer[me] ? done
  :: ask[me] ! write; answer[me] ? done
  od
}

/* What another cache wants of the line. */
inline listen(me)
{
  if
  :: snoop[me] ? share ->
     if
     :: line[me] == modified -> line[me] = shared
     :: else
     fi
  :: snoop[me] ? own -> line[me] = invalid
  fi;
  heard ! me
}

proctype cache(byte me)
{
  mtype wish;
again:
  do
  :: nempty(snoop[me]) -> listen(me)
  :: ask[me] ? read ->
     if
     :: line[me] != invalid
     :: else -> wish = share; goto fetch
     fi;
     answer[me] ! done
  :: ask[me] ? write ->
     if
     :: line[me] == modified
     :: else -> wish = own; goto fetch
     fi;
     answer[me] ! done
  :: line[me] == shared -> line[me] = invalid
  od;
fetch:
  request[me] ! wish;
  do
  :: nempty(snoop[me]) -> listen(me)
  :: granted[me] ? grant ->
     d_step { line[me] = (wish == own -> modified : shared); wish = 0 };
     break
  od;
  answer[me] ! done;
  goto again
}

proctype bus()
{
  byte who, i, waits;
  mtype wish;
  do
  :: empty(request[who]) -> who = (who + 1) % N
  :: request[who] ? wish ->
     i = 0;
     do
     :: i < N ->
        if
        :: i != who -> snoop[i] ! wish; waits++
        :: else
        fi;
        i++
     :: else -> break
     od;
     do
     :: waits > 0 -> heard ? i; waits--
     :: else -> break
     od;
     granted[who] ! grant;
     d_step { wish = 0; i = 0 }
  od
}

init {
  byte k;
  atomic {
    for (k : 0 .. N - 1) { run processor(k); run cache(k) }
    run bus();
    k = 0
  }
}
