inline f() { g() }
inline g() { f() }
init { f() }
/*
expect: 2:14: error: inline 'f' calls itself
*/
