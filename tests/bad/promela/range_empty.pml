init { byte i; for (i : 3 .. 1) { skip } }
/*
expect: 1:25: error: the start of this range exceeds its end
*/
