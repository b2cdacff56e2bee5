proctype P() { skip }
init { P == 1 }
/*
expect: 2:10: error: expected '@' or ':' after the name of a proctype, found '=='
*/
