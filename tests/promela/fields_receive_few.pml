/* A receive of fewer values than the channel has fields. */
/* expect bounds: violated */
chan q = [2] of { byte, byte };
byte x;

init { q ! 1, 2; q ? x; x = 2 }
