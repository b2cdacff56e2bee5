/* expect: 4:8: error: more than one 'run' in an expression
*/
proctype P() { skip }
init { run P() && run P() }
