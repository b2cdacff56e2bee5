/* expect: 5:14: error: expected ';' or '->', found '('
** expect: 5:8: note: a loop is 'do :: condition -> ... :: else -> break od'
*/
byte x;
init { while (x < 3) { x++ } }
