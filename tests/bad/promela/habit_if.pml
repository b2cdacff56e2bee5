/* expect: 8:11: error: expected '::', found '('
** expect: 8:11: note: each choice begins with '::', as in 'if :: condition -> ... :: else -> ... fi'
** expect: 8:25: error: expected 'fi', found '}'
** expect: 8:8: note: to close what was opened here
** expect: 8:27: error: expected a declaration, a proctype, 'init', 'never', 'ltl' or 'inline', found '}'
*/
byte x;
init { if (x < 3) { x++ } }
