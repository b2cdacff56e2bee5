/* A rendezvous send that nobody answers never happens; pan shows it to the
 * trace all the same. */
/* spin: errors 1 */
/* expect assertions: holds; states 3 */
chan c = [0] of { byte };
active proctype A() { if :: c!1 :: skip fi }
trace { c!2 }
