/* A poll of more values than the channel has fields. */
/* expect bounds: violated */
chan q = [2] of { byte, byte };
byte x;

init {
  q ! 1, 2;
  if
  :: q ? [1, 2, 3] -> x = 1
  :: else
  fi
}
