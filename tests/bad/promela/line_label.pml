/* expect: 7:0: error: 'x' is not declared
*/
#line 7 "made.src"
init { x = 1 }
