int x; # what
init { skip }
/*
expect: 1:8: error: unexpected character '#'
*/
