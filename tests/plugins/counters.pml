/* The counters of counters.c.
   expect: holds; states 256; transitions 769
*/

byte x[4];
bit other;

active proctype A() { end: do :: d_step { x[0] < 3 -> x[0]++ } od }
active proctype B() { end: do :: d_step { x[1] < 3 -> x[1]++ } od }
active proctype C() { end: do :: d_step { x[2] < 3 -> x[2]++ } od }
active proctype D() { end: do :: d_step { x[3] < 3 -> x[3]++ } od }
