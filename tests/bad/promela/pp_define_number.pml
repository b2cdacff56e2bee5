/* expect: 3:9: error: the name of a macro must be a name
*/
#define 3 4
init { skip }
