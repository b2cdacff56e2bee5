/* expect: 3:13: error: expected ',' or ')' after a parameter
*/
#define f(x y) x
init { skip }
