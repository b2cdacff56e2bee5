/* expect: 4:2: warning: #warning this is old
** expect: 5:8: error: 'x' is not declared
*/
#warning this is old
init { x = 1 }
