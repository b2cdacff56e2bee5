proctype 3 () { skip }
init { skip }
/*
expect: 1:10: error: expected the name of the proctype, found a constant
*/
