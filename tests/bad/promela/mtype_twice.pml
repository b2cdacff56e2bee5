/* expect: 4:11: error: 'b' is declared twice as an mtype name
*/
mtype = { a, b };
mtype = { b, c };
init { skip }
