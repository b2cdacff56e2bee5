/* expect: 5:12: error: expected ';' or '->', found '+'
*/
chan q = [1] of { byte };
int x;
init { q?x + 1 }
