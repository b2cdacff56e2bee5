proctype P(int x[2]) { skip }
init { skip }
/*
expect: 1:16: error: an array cannot be a parameter
*/
