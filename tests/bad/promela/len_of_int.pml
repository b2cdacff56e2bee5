int x;
init { len(x) > 1 }
/*
expect: 2:12: error: 'x' is not a channel
*/
