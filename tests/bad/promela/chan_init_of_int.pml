int x = [2] of { byte };
init { skip }
/*
expect: 1:5: error: only a chan can be initialised with a channel
*/
