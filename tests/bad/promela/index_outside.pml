/* expect: 4:8: warning: index 3 is outside of 'a[3]'
*/
int a[3];
init { a[3] = 1 }
