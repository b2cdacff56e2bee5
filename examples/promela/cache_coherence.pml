/* A small cache coherence protocol with three caches on one bus.
 *
 * A line of memory is in each cache invalid, shared or modified.  The bus
 * serves one request at a time, which the model says with atomic.  Two rules
 * must hold: if a cache has modified the line, no other one holds it; and a
 * read sees what was written last. */
/* expect: holds; states 20392; transitions 107401 */

#define CACHES 3

mtype = { invalid, shared, modified };

typedef cache {
  mtype state = invalid;
  bit value
}

cache c[CACHES];
bit memory;
bit latest;             /* the value written last, to check against */

/* Whoever holds a changed line writes it back before others get it. */
inline write_back(k) {
  if
  :: c[k].state == modified -> memory = c[k].value; c[k].state = shared
  :: else -> skip
  fi
}

inline coherent(me) {
  byte i;
  for (i : 0 .. CACHES - 1) {
    assert(c[me].state != modified || i == me || c[i].state == invalid)
  }
  skip          /* a d_step must not end with the break of a loop */
}

inline bus_read(me) {
  byte j;
  for (j : 0 .. CACHES - 1) {
    write_back(j)
  }
  c[me].value = memory;
  c[me].state = shared
}

inline bus_own(me) {
  byte k;
  for (k : 0 .. CACHES - 1) {
    write_back(k);
    if
    :: k != me -> c[k].state = invalid; c[k].value = 0
    :: else -> skip
    fi
  }
  c[me].value = memory;
  c[me].state = modified
}

active [CACHES] proctype processor() {
  do
  :: d_step { c[_pid].state == invalid -> bus_read(_pid) }
  :: d_step { c[_pid].state != modified -> bus_own(_pid); coherent(_pid) }
  :: c[_pid].state != invalid ->
     /* Between the test and the read the line may be taken away. */
     atomic {
       if
       :: c[_pid].state != invalid -> assert(c[_pid].value == latest)
       :: else -> skip
       fi
     }
  :: d_step {
       c[_pid].state == modified ->
       c[_pid].value = 1 - c[_pid].value;
       latest = c[_pid].value;
       coherent(_pid)
     }
  :: d_step {
       /* Eviction. */
       c[_pid].state != invalid ->
       write_back(_pid);
       c[_pid].state = invalid;
       c[_pid].value = 0
     }
  od
}
