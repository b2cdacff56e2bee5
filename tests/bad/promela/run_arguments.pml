proctype P(int a; byte b) { skip }
init { run P(1) }
/*
expect: 2:8: error: proctype 'P' has 2 parameters, this 'run' has 1 argument
expect: 1:10: note: defined here
*/
