/* expect: 3:14: error: this call of inline 'f' wants no value
*/
inline f() { return 1 }
init { f() }
