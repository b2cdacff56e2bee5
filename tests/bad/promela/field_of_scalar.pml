int x;
init { x.y = 1 }
/*
expect: 2:10: error: 'x' has no fields: it is not of a typedef type
*/
