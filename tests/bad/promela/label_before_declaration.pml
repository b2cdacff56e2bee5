init { L: int x; skip }
/*
expect: 1:8: error: a declaration cannot have a label
*/
