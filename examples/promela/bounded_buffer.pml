/* A bounded buffer in shared memory with two producers and one consumer.
 *
 * Semaphores guard it: `free` counts the empty places, `used` the full ones,
 * and `mutex` protects the indices.  The model checks that nothing is lost,
 * doubled or overwritten, and that all processes come to their end: a state
 * where some process is stuck would be reported as an invalid end state. */
/* expect: holds; states 4677; transitions 11650 */

#define SIZE 2
#define ITEMS 2         /* per producer */

byte free = SIZE, used = 0, mutex = 1;
byte buffer[SIZE], head, tail;
byte produced, consumed;        /* sums of all values */

/* The test and the decrement must be one step: hence atomic. */
inline wait(semaphore) { atomic { semaphore > 0 -> semaphore-- } }
inline signal(semaphore) { semaphore++ }

active [2] proctype producer() {
  byte item;
  for (item : 1 .. ITEMS) {
    wait(free);
    wait(mutex);
    assert(buffer[head] == 0);  /* never overwrite */
    buffer[head] = item;
    head = (head + 1) % SIZE;
    produced = produced + item;
    signal(mutex);
    signal(used)
  }
}

active proctype consumer() {
  byte n;
  for (n : 1 .. 2 * ITEMS) {
    wait(used);
    wait(mutex);
    assert(buffer[tail] != 0);  /* never take nothing */
    consumed = consumed + buffer[tail];
    buffer[tail] = 0;
    tail = (tail + 1) % SIZE;
    signal(mutex);
    signal(free)
  }
}

/* Moves only when the others have ended or are stuck for ever. */
active proctype auditor() {
  timeout;
  assert(produced == consumed && free == SIZE && used == 0)
}
