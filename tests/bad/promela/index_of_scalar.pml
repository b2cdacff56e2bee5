/* expect: 4:8: error: 'x' is not an array
*/
int x;
init { x[1] = 1 }
