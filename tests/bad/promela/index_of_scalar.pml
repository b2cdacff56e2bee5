int x;
init { x[1] = 1 }
/*
expect: 2:8: error: 'x' is not an array
*/
