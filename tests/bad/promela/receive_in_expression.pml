/* expect: 5:20: error: expected '[' (a receive cannot be part of an expression), found 'x'
*/
chan q = [1] of { byte };
int x;
init { (x > 1 && q?x) }
