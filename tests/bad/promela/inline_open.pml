inline f() { skip
/*
expect: 1:12: error: the body of this inline does not end
*/
