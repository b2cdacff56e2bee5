/* A lock that many readers may hold at once, but a writer only alone.
 *
 * A waiting writer keeps new readers out, so that it is not overtaken for
 * ever.  The counters `readers` and `writers` belong to the lock, the other
 * two only watch it. */
/* expect: holds; states 116; transitions 299 */

#define READERS 2
#define WRITERS 2

byte readers, waiting;
bool writer;
byte reading, writing;

inline watch() {
  assert(writing <= 1 && (writing == 0 || reading == 0))
}

active [READERS] proctype reader() {
  do
  :: atomic { !writer && waiting == 0 -> readers++ };
     reading++;
     watch();
     reading--;
     readers--
  od
}

active [WRITERS] proctype writer_process() {
  do
  :: waiting++;
     atomic { !writer && readers == 0 -> writer = true; waiting-- };
     writing++;
     watch();
     writing--;
     writer = false
  od
}
