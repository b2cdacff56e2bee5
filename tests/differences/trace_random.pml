/* pan shows the trace the first message of the channel, not the one that is
 * received. */
/* spin: errors 1 */
/* expect assertions: holds; states 5 */
chan c = [3] of { byte };
active proctype A() { c!1; c!2; c??2 }
trace { c?2 }
