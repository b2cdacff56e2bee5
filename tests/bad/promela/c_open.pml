c_code { int x;
/*
expect: 1:8: error: this '{' is never closed
*/
