/* expect: 3:17: error: expected ')' after the '...' of the parameters
*/
#define f(x, ..., y) x
init { skip }
