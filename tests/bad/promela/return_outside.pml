init { return 1 }
/*
expect: 1:8: error: 'return' may only be used in an inline
*/
