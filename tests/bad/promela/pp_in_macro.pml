/* expect: 5:22: error: 'oops' is not declared
** expect: 6:18: note: in the expansion of macro 'inner'
** expect: 8:12: note: in the expansion of macro 'outer'
*/
#define inner(x) x + oops
#define outer(y) inner(y)
byte a;
init { a = outer(1) }
