/* All processes end while the trace waits for more: not an error. */
/* expect: holds; states 10; transitions 13 */
chan c = [1] of { byte };
byte n;
trace { c ! 1; c ! 2; c ! 3 }

active proctype S() { c ! 1; n++ }

active proctype R() { c ? _; n = n + 2 }
