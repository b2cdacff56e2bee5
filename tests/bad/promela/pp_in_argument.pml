/* expect: 6:18: error: 'oops' is not declared
*/
#define inner(x) x + 1
#define outer(y) inner(y) + 2
byte a;
init { a = outer(oops) }
