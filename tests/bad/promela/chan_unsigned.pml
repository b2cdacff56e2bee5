chan q = [1] of { unsigned };
init { skip }
/*
expect: 1:19: error: unsigned cannot be the type of a message
*/
