/* expect: 3:8: error: unexpected character '#'
*/
int x; # what
init { skip }
