/* expect: 4:10: error: '_' can be written but not read
*/
chan q = [1] of { byte };
init { q!_ }
