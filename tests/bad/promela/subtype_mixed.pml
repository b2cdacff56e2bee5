/* expect: 5:25: error: 'b' is of mtype:two, but 'x' is of mtype:one
*/
mtype:one = { a };
mtype:two = { b };
init { mtype:one x; x = b }
