/* expect: 4:13: error: 'x' is not declared
*/
init { int x; x = 1 }
ltl p { [] (x > 0) }
