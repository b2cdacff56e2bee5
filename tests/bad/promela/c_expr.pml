init { c_expr { x } }
/*
expect: 1:8: error: embedded C is not supported yet: c_expr
*/
