#define TWICE(x) (x + x)
byte a;
init { a = TWICE(b) }
/*
expect: 3:12: error: 'b' is not declared
*/
