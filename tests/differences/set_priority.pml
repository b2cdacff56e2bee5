/* set_priority is undone wrongly by pan's depth-first search. */
/* spin: errors 0, states 8, transitions 8 */
/* spin -DBFS: errors 0, states 12, transitions 16 */
/* expect: states 12; transitions 16 */
byte g;
active proctype P0() { set_priority(1, 3); assert(g != 2) }
active proctype P1() { g = 1; g = 2; g = 3 }
