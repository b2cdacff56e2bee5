/* expect: 3:16: error: '#' is not followed by a parameter
*/
#define f(x) x #
init { skip }
