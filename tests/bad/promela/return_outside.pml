/* expect: 3:8: error: 'return' may only be used in an inline
*/
init { return 1 }
