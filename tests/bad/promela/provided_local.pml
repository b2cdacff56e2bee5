proctype P(int x) provided (x > 1) { skip }
init { run P(1) }
/*
expect: 1:29: error: 'provided' can use global variables only, 'x' is local
*/
