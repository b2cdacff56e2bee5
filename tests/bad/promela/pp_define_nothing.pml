/* expect: 3:8: error: the name of a macro is missing
*/
#define
init { skip }
