/* expect: 4:12: error: expected an expression, found '}'
*/
int x;
init { x = }
