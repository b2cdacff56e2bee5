unsigned u;
init { skip }
/*
expect: 1:10: error: an unsigned needs a width: unsigned x : 5
*/
