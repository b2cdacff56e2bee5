chan q = [1] of { byte };
init { q!_ }
/*
expect: 2:10: error: '_' can be written but not read
*/
