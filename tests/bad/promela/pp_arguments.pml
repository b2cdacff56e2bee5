/* expect: 5:12: error: macro 'f' takes 2 arguments, not 1
*/
#define f(x, y) (x + y)
byte a;
init { a = f(1) }
