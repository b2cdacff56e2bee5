typedef T { int a; byte a };
init { skip }
/*
expect: 1:25: error: field 'a' is declared twice
expect: 1:17: note: the first declaration
*/
