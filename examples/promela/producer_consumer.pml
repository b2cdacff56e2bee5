/* A producer and a consumer with a channel, and properties over time.
 *
 * Assertions speak about single states.  The formulas at the end speak about
 * whole runs: `[]` means always, `<>` means at some time.  The consumer may
 * be slow, but what was asked for arrives. */
/* expect: holds; states 15; transitions 25 */

#define LIMIT 2

mtype = { item };

chan store = [LIMIT] of { mtype };
bool asked, served;

active proctype producer() {
  do
  :: store ! item
  od
}

active proctype consumer() {
  do
  :: asked = true;
     store ? item;
     served = true;
     asked = false;
     served = false
  od
}

/* The channel never holds more than it should: a safety property. */
ltl bounded { [] (len(store) <= LIMIT) }

/* Every request is answered: a liveness property.  It holds without any
 * assumption of fairness: a producer that is alone soon fills the channel and
 * has to wait. */
ltl answered { [] (asked -> <> served) }
