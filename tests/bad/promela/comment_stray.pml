/* expect: 4:16: warning: no comment ends here; comments do not nest
   expect: 6:12: error: 'y' is not declared
*/
/* a /* b */   */
byte x;
init { x = y }
