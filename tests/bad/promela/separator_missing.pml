/* expect: 4:14: error: expected ';' or '->', found 'x'
*/
int x;
init { x = 1 x = 2 }
