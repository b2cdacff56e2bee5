/* expect: 3:9: error: expected the name of a macro
*/
#ifndef 3
#endif
init { skip }
