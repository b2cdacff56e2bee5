/* expect: 5:10: error: 'run' cannot be used in a message
*/
proctype P() { skip }
chan q = [1] of { byte };
init { q!run P() }
