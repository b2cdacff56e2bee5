proctype P() { skip }
init { skip }
ltl p { [] run P() }
/*
expect: 3:12: error: 'run' may only be used in processes
*/
