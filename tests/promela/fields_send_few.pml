/* A send of fewer values than the channel has fields. */
/* expect bounds: violated */
chan q = [2] of { byte, byte };
byte x;

init { x = 1; q ! 1; x = 2 }
