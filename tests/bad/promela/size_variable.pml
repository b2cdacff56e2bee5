byte n = 3;
int a[n];
init { a[0] = 1 }
/*
expect: 2:7: warning: the size of 'a' is not a constant: 3 is taken
*/
