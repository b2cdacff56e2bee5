/* expect: 3:5: error: only an array can be initialised with a list
*/
int x = { 1, 2 };
init { skip }
