/* expect: 9:7: error: a variable has at least 1 value, not 0
   expect: 10:10: error: there is no number from 3 to 2
   expect: 11:20: error: expected a constant, found ';'
   expect: 12:1: error: expected a declaration, a proctype, 'init', 'never', 'ltl' or 'inline', found 'subrange'
   expect: 13:1: error: expected a declaration, a proctype, 'init', 'never', 'ltl' or 'inline', found 'value'
   expect: 15:13: error: only unsigned can have a width
   expect: 16:17: error: expected ';' or '->', found 'Inner'
*/
value 0 none;
subrange Empty = 3..2;
subrange Open = 3..;
subrange = 3..4;
value x;
hidden value 3 h;
value 3 y : 4;
init { subrange Inner = 0..3; skip }
