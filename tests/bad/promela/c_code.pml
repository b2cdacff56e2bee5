/* expect: 3:8: error: embedded C is not supported yet: c_code
*/
init { c_code { x++; } }
