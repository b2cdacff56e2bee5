inline f() { return 1 }
init { f() }
/*
expect: 1:14: error: this call of inline 'f' wants no value
*/
