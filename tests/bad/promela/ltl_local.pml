init { int x; x = 1 }
ltl p { [] (x > 0) }
/*
expect: 2:13: error: 'x' is not declared
*/
