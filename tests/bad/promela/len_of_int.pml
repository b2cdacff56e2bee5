/* expect: 4:12: error: 'x' is not a channel
*/
int x;
init { len(x) > 1 }
