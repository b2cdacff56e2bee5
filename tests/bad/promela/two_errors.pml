int x;
init {
  x = ;
  x = 1;
  y! ;
  x = (2
}
/*
expect: 3:7: error: expected an expression, found ';'
expect: 5:6: error: expected an expression, found ';'
expect: 7:1: error: expected ')', found '}'
expect: 6:7: note: to close what was opened here
*/
