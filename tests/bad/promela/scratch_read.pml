/* expect: 4:12: error: '_' can be written but not read
*/
int x;
init { x = _ }
