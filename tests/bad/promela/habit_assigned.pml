/* expect: 5:21: error: expected an operator or the end of the formula, found '='
** expect: 5:21: note: values are compared with '=='
*/
byte x;
ltl p { [] (x == 0) = 1 }
init { x = 1 }
