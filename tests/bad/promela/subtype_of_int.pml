/* expect: 3:4: error: only mtype can have a subtype
*/
int:f x;
init { skip }
