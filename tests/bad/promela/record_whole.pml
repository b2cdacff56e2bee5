/* expect: 5:8: error: 't' is of typedef 'T': name one of its fields
*/
typedef T { int a };
T t;
init { t = 1 }
