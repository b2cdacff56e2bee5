/* expect: 3:8: error: this '{' is never closed
*/
c_code { int x;
