/* expect: 3:8: error: embedded C is not supported yet: c_expr
*/
init { c_expr { x } }
