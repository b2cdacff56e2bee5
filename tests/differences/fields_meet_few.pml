/* A rendezvous in which fewer values are received than sent. */
/* spin: errors 1 */
/* expect bounds: violated */
chan q = [0] of { byte, byte };
byte x;

active proctype A() { q ! 1, 2 }

active proctype B() { q ? x }
