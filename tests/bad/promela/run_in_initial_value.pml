/* expect: 4:16: error: 'run' cannot be used in an initial value
*/
proctype P() { skip }
init { int x = run P(); skip }
