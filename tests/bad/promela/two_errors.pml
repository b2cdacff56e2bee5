/* expect: 8:7: error: expected an expression, found ';'
** expect: 10:6: error: expected an expression, found ';'
** expect: 12:1: error: expected ')', found '}'
** expect: 11:7: note: to close what was opened here
*/
int x;
init {
  x = ;
  x = 1;
  y! ;
  x = (2
}
