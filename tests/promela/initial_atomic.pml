/* Processes whose first statement is inside an atomic sequence or a d_step,
 * enabled and blocked at the start. */
/* expect end-states: violated; states 53; transitions 73 */
byte x = 1, y;

active proctype A() { atomic { x == 1; x = 2; y = x }; y++ }
active proctype B() { atomic { x == 2 -> x = 3; x = 1 } }
active proctype C() { d_step { y == 0 -> y = 10; x = x + 1 }; x-- }
active proctype D() { atomic { y > 0 -> d_step { y--; x++ }; y == 1; y = 7 } }
