int a[n];
init { skip }
/*
expect: 1:7: error: 'n' is not declared
*/
