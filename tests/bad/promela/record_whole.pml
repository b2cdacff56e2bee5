typedef T { int a };
T t;
init { t = 1 }
/*
expect: 3:8: error: 't' is of typedef 'T': name one of its fields
*/
