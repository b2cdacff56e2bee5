proctype P() { skip }
init { run P() && run P() }
/*
expect: 2:8: error: more than one 'run' in an expression
*/
