/* Structures with arrays and nested structures as whole messages, in
 * buffered channels with polls and constants beside them. */
/* expect: holds; states 419; transitions 705 */
mtype = { put, del };
typedef addr { byte net; byte host[2] }
typedef packet { addr from; bit urgent; short load }
chan c = [2] of { mtype, packet };
packet last;
byte dropped;

active proctype S() {
  packet p;
  p.from.net = 1;
  do
  :: p.from.host[1] < 3 ->
     p.from.host[1]++;
     p.load = p.load - 100 * p.from.host[1];
     if
     :: c ! put, p
     :: p.urgent = 1; c ! del, p
     fi
  :: else -> break
  od
}

active proctype R() {
  packet q;
  byte n;
  do
  :: n < 3 && nempty(c) ->
     if
     :: c ? put, last
     :: c ? del, q -> dropped = dropped + q.from.host[1] + q.urgent
     fi;
     n++
  :: n == 3 -> break
  od;
  assert(last.load <= 0)
}
