int a[0];
init { skip }
/*
expect: 1:7: error: the size of an array must be at least 1, not 0
*/
