/* expect: 3:29: error: 'provided' can use global variables only, 'x' is local
*/
proctype P(int x) provided (x > 1) { skip }
init { run P(1) }
