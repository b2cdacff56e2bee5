proctype P() { skip }
init { int x = run P(); skip }
/*
expect: 2:16: error: 'run' cannot be used in an initial value
*/
