/* pan watches whether a D_proctype is deterministic; we take it for a
 * proctype. */
/* spin: errors 1 */
/* expect assertions, bounds: holds */
byte x;
active D_proctype Q() { x = 1; if :: x = 2 :: x = 3 fi }
