c_track "&x" "sizeof(int)"
init { skip }
/*
expect: 1:1: error: embedded C is not supported yet: c_track
*/
