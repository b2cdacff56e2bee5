/* expect: 3:8: error: expected 'proctype', found 'byte'
*/
active byte x;
init { skip }
