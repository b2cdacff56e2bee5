/* expect: 5:11: error: expected an operator or the end of the formula, found '('
** expect: 5:9: note: 'always' is written '[]'
*/
byte x;
ltl p { G (x < 3) }
init { x = 1 }
