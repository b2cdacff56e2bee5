/* expect: 4:18: error: 'x' is not an array
*/
int x, i;
init { for (i in x) { skip } }
