init { c_code { x++; } }
/*
expect: 1:8: error: embedded C is not supported yet: c_code
*/
