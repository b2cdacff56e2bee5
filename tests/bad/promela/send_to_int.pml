/* expect: 4:8: error: 'x' is not a channel
*/
int x;
init { x!1 }
