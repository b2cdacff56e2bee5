proctype P(int x = 1) { skip }
init { skip }
/*
expect: 1:16: error: a parameter cannot be initialised
*/
