x = 1;
init { skip }
/*
expect: 1:1: error: expected a declaration, a proctype, 'init', 'never', 'ltl' or 'inline', found 'x'
*/
