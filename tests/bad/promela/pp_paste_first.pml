/* expect: 3:14: error: '##' at the beginning of a macro
*/
#define f(x) ## x
init { skip }
