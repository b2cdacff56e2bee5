proctype P() { skip }
proctype P() { skip }
init { skip }
/*
expect: 2:10: error: proctype 'P' is defined twice
expect: 1:10: note: the first definition
*/
