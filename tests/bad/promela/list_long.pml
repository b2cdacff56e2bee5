/* expect: 3:5: warning: 3 values for the 2 elements of 'x'
*/
int x[2] = { 1, 2, 3 };
init { skip }
