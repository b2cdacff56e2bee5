chan q = [-1] of { byte };
init { skip }
/*
expect: 1:11: error: a channel has 0 to 32767 slots, not -1
*/
