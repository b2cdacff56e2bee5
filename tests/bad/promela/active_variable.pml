byte n = _pid;
active [n] proctype P() { skip }
init { skip }
/*
expect: 2:9: error: 'n' has no constant initial value
*/
