/* expect: 3:1: error: embedded C is not supported yet: c_track
*/
c_track "&x" "sizeof(int)"
init { skip }
