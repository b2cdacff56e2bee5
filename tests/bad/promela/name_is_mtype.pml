/* expect: 4:13: error: expected a name, found a constant 'a'
*/
mtype = { a, b };
init { byte a; skip }
