typedef T { int a };
int T;
init { skip }
/*
expect: 2:5: error: expected a name, found a type name 'T'
*/
