/* A rendezvous in which more values are received than sent. */
/* spin: errors 1 */
/* expect bounds: violated */
chan q = [0] of { byte };
chan two = [1] of { byte, byte };
byte x;

active proctype A() { q ! 1 }

active proctype B() { q ? x, _ }
