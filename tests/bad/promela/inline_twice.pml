inline f() { skip }
inline f() { skip }
init { f() }
/*
expect: 2:8: error: inline 'f' is defined twice
expect: 1:8: note: the first definition
*/
