int a[3];
init { a = 1 }
/*
expect: 2:8: error: 'a' is an array: its index is missing
*/
