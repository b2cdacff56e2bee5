/* expect: 3:9: error: 'defined' cannot be the name of a macro
*/
#define defined 1
init { skip }
