mtype = { a, b };
init { byte a; skip }
/*
expect: 2:13: error: expected a name, found a constant 'a'
*/
