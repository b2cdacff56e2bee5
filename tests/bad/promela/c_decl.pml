c_decl { int x; }
init { skip }
/*
expect: 1:1: error: embedded C is not supported yet: c_decl
*/
