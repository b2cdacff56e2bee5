/* Buffered channels: order, blocking when full and when empty, len and the
 * four tests. */
/* expect: holds; states 6556; transitions 15775 */
chan c = [2] of { byte };
byte sum, f, e;

active [2] proctype producer() {
  byte i;
  do
  :: i < 2 -> c ! 10 * _pid + i; i++
  :: i == 2 -> break
  od
}

active proctype consumer() {
  byte x, n;
  do
  :: n < 4 && nempty(c) -> c ? x; sum = sum * 2 + x; n++
  :: n < 4 && full(c) -> f++; c ? x; n++
  :: n == 4 -> break
  od;
  assert(empty(c) && len(c) == 0);
  if
  :: empty(c) && nfull(c) -> e = 1
  fi
}
