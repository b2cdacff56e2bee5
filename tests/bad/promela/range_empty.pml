/* expect: 3:25: error: the start of this range exceeds its end
*/
init { byte i; for (i : 3 .. 1) { skip } }
