/* expect: 3:16: error: a parameter cannot be initialised
*/
proctype P(int x = 1) { skip }
init { skip }
