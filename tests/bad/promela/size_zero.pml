/* expect: 3:7: error: the size of an array must be at least 1, not 0
*/
int a[0];
init { skip }
