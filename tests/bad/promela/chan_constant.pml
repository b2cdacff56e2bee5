chan q = [1] of { byte };
init { q = 3 }
/*
expect: 2:8: error: a constant cannot be assigned to a channel
*/
