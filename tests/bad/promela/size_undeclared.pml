/* expect: 3:7: error: 'n' is not declared
*/
int a[n];
init { skip }
