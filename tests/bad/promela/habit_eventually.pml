/* expect: 5:21: error: expected an operator or the end of the formula, found '('
** expect: 5:19: note: 'eventually' is written '<>'
*/
byte x;
ltl p { x == 0 -> F (x == 3) }
init { x = 1 }
