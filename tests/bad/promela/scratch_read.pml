int x;
init { x = _ }
/*
expect: 2:12: error: '_' can be written but not read
*/
