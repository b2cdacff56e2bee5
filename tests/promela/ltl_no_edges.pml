/* Formulas whose automata have no edges, or one: true, and timeout always. */
/* expect assertions, end-states, bounds: holds; states 3; transitions 3 */
byte x;
active proctype P() { x = 1 }
ltl truth { 1 }
ltl idle { [] timeout }
