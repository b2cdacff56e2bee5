/* expect: 5:17: error: expected an expression, found ')'
*/
int x;
init { skip }
ltl p { [] (x > ) }
