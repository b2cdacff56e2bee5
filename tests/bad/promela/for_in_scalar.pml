int x, i;
init { for (i in x) { skip } }
/*
expect: 2:18: error: 'x' is not an array
*/
