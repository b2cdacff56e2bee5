int a[3];
init { a[1 = 2 }
/*
expect: 2:12: error: expected ']', found '='
expect: 2:9: note: to close what was opened here
*/
