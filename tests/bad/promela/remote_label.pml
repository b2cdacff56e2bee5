/* expect: 4:17: error: proctype 'P' has no label 'there'
*/
proctype P() { here: skip }
init { run P(); P[1]@there }
