/* expect: 4:14: error: inline 'f' calls itself
*/
inline f() { g() }
inline g() { f() }
init { f() }
