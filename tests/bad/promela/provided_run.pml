/* expect: 3:24: error: this cannot be used in 'provided'
*/
proctype P() provided (run P() > 1) { skip }
init { run P() }
