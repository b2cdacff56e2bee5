/* expect: 3:11: error: a channel has 0 to 32767 slots, not -1
*/
chan q = [-1] of { byte };
init { skip }
