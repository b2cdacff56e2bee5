inline f(a, b) { a = b }
int x;
init { f(x) }
/*
expect: 3:9: error: inline 'f' has 2 parameters, this call has 1 argument
expect: 1:8: note: defined here
*/
