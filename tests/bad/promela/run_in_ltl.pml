/* expect: 5:12: error: 'run' may only be used in processes
*/
proctype P() { skip }
init { skip }
ltl p { [] run P() }
