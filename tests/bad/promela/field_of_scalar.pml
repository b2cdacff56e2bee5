/* expect: 4:10: error: 'x' has no fields: it is not of a typedef type
*/
int x;
init { x.y = 1 }
