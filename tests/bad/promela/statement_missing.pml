init { }
/*
expect: 1:8: error: expected a statement, found '}'
*/
