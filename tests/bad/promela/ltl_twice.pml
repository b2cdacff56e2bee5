int x;
init { skip }
ltl p { [] x }
ltl p { <> x }
/*
expect: 4:1: error: ltl 'p' is defined twice
*/
