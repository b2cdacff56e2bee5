proctype P() { here: skip }
init { run P(); P[1]@there }
/*
expect: 2:17: error: proctype 'P' has no label 'there'
*/
