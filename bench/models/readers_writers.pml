/* R readers and W writers ask a server for access; requests wait in one queue,
 * grants come by a rendezvous of each client's own. */

#ifndef R
#define R 4
#endif
#ifndef W
#define W 2
#endif

mtype = { read, write, done_reading, done_writing };
chan server = [R + W] of { mtype, byte };
chan grant[R + W] = [0] of { bit };
byte reading, writing;

active [R] proctype reader() {
  do
  :: server ! read(_pid);
     grant[_pid] ? 1;
     reading++;
     assert(writing == 0);
     reading--;
     server ! done_reading(_pid)
  od
}

active [W] proctype writer() {
  do
  :: server ! write(_pid);
     grant[_pid] ? 1;
     writing++;
     assert(writing == 1 && reading == 0);
     writing--;
     server ! done_writing(_pid)
  od
}

active proctype keeper() {
  byte readers, who;

  do
  :: server ?? read(who) -> readers++; grant[who] ! 1
  :: server ?? done_reading(_) -> readers--
  :: readers == 0 && server ?? [write(who)] ->
     server ?? write(who);
     grant[who] ! 1;
     server ?? done_writing(_)
  od
}
