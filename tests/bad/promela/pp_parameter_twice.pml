/* expect: 3:14: error: there is a parameter 'x' already
*/
#define f(x, x) x
init { skip }
