/* The options would take the same event, but it never comes. */
/* spin: errors 0, states 3 */
/* expect: 6:27: error: the trace is not deterministic: two options take the same event */
chan c = [3] of { byte };
active proctype A() { c!2 }
trace { if :: c!1; c!3 :: c!1; c!2 :: c!2 fi }
/* expect: 6:15: note: the other option */
