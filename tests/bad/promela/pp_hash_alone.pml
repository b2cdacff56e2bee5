/* expect: 3:14: error: '#' is not followed by a parameter
*/
#define f(x) # 3
init { skip }
