int x[2] = { 1, 2, 3 };
init { skip }
/*
expect: 1:5: warning: 3 values for the 2 elements of 'x'
*/
