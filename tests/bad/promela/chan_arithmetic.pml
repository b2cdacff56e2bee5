/* expect: 4:19: error: a channel cannot be part of an expression
*/
chan q = [1] of { byte };
init { int x; x = q + 1 }
