/* expect: 6:1: error: ltl 'p' is defined twice
*/
int x;
init { skip }
ltl p { [] x }
ltl p { <> x }
