int x;
init { skip }
ltl p { [] (x > ) }
/*
expect: 3:17: error: expected an expression, found ')'
*/
