/* A lock server with private reply channels, clients that come and go, and
 * a queue of waiting clients. */
/* expect: holds; states 687; transitions 1562 */
#define CLIENTS 2
mtype = { acquire, grant, release };
chan server = [CLIENTS] of { mtype, chan };
byte holders, rounds;

proctype client() {
  chan me = [0] of { mtype };
  server ! acquire, me;
  me ? grant;
  holders++;
  assert(holders == 1);
  holders--;
  server ! release, me
}

active proctype lock() {
  chan who, waiting = [CLIENTS] of { chan };
  bool held;
end:
  do
  :: server ? acquire, who ->
     if
     :: !held -> held = true; who ! grant
     :: held -> waiting ! who
     fi
  :: server ? release, _ ->
     if
     :: waiting ? who -> who ! grant
     :: empty(waiting) -> held = false
     fi
  od
}

init {
  byte i;
  for (i : 1 .. CLIENTS) {
    run client();
    rounds++
  }
}
