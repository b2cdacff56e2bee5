int x;
init { x = 1 x = 2 }
/*
expect: 2:14: error: expected ';' or '->', found 'x'
*/
