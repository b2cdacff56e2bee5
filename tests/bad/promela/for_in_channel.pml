/* expect: 5:23: error: 'q' is not a buffered channel of messages of typedef 'T'
*/
typedef T { byte a };
chan q = [2] of { byte };
init { T t; for (t in q) { skip } }
