int x;
init { x = }
/*
expect: 2:12: error: expected an expression, found '}'
*/
