/* pan shows the trace the last message of the channel, not the one that is
 * sent. */
/* spin: errors 1 */
/* expect assertions: holds; states 4 */
chan c = [3] of { byte };
active proctype A() { c!2; c!!1 }
trace { c!2; c!1 }
