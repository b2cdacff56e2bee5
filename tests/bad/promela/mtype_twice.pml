mtype = { a, b };
mtype = { b, c };
init { skip }
/*
expect: 2:11: error: 'b' is declared twice as an mtype name
*/
