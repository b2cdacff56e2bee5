/* expect: 5:12: error: expected ']', found '='
** expect: 5:9: note: to close what was opened here
*/
int a[3];
init { a[1 = 2 }
