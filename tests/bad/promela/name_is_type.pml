/* expect: 4:5: error: expected a name, found a type name 'T'
*/
typedef T { int a };
int T;
init { skip }
