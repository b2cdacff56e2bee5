/* expect: 3:1: error: expected a declaration, a proctype, 'init', 'never', 'ltl' or 'inline', found 'x'
*/
x = 1;
init { skip }
