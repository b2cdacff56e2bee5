/* expect: 3:1: error: embedded C is not supported yet: c_decl
*/
c_decl { int x; }
init { skip }
