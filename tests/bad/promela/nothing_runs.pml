/* expect: 1:1: error: nothing runs: there is neither 'init' nor an active proctype
*/
proctype P() { skip }
