/* expect: 4:13: error: the variable of 'for' and 'select' must be a plain scalar
*/
int a[3];
init { for (a[0] : 1 .. 2) { skip } }
