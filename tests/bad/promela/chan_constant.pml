/* expect: 4:8: error: a constant cannot be assigned to a channel
*/
chan q = [1] of { byte };
init { q = 3 }
