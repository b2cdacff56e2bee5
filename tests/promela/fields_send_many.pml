/* A send of more values than the channel has fields. */
/* expect bounds: violated */
chan q = [2] of { byte };
chan two = [1] of { byte, byte };
byte x;

init { x = 1; q ! 1, 2; x = 2 }
