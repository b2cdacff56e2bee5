active byte x;
init { skip }
/*
expect: 1:8: error: expected 'proctype', found 'byte'
*/
