/* In a trace pan takes a send of a constant that is not written as one number
 * for a send of anything. */
/* spin: errors 0 */
/* expect assertions: violated */
#define N 3
chan c = [3] of { byte };
active proctype A() { c!9 }
trace { c!(N+1) }
