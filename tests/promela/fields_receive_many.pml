/* A receive of more values than the channel has fields. */
/* expect bounds: violated */
chan q = [2] of { byte };
byte x;

init { q ! 1; q ? x, _; x = 2 }
