/* expect: 4:7: warning: the size of 'a' is not a constant: 3 is taken
*/
byte n = 3;
int a[n];
init { a[0] = 1 }
