/* A trace before the process types, over a rendezvous. */
/* spin -c0: errors 2, states 2 */
/* expect assertions: violated; states 5 */
chan c = [0] of { byte };
trace { do :: c!1; c!2 od }
active proctype S() { c!1; c!1 }
active proctype R() { byte x; c?x; c?x }
