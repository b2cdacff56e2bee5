/* expect: 3:11: error: '##' at the end of a macro
*/
#define N 3 ##
init { skip }
