chan q = [1] of { byte };
int x;
init { q?x + 1 }
/*
expect: 3:12: error: expected ';' or '->', found '+'
*/
