/* expect: 5:18: error: 'b' is not declared
*/
#define TWICE(x) (x + x)
byte a;
init { a = TWICE(b) }
