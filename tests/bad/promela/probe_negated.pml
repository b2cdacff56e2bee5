/* expect: 5:9: error: full, nfull, empty and nempty may only be combined by && and ||
** expect: 5:9: note: use nfull for !full, nempty for !empty, or compare len
*/
chan q = [1] of { byte };
init { !full(q) }
