/* expect: 4:8: error: 'a' is an array: its index is missing
*/
int a[3];
init { a = 1 }
