/* expect: 3:14: error: expected the name of a parameter
*/
#define f(x, 3) x
init { skip }
