/* Channels sent through channels, and used by the receiver. */
/* expect: holds; states 132; transitions 258 */
chan reg = [2] of { chan, byte };
byte answers;

active [2] proctype client() {
  chan me = [1] of { byte };
  byte r;
  reg ! me, _pid + 1;
  me ? r;
  answers = answers * 3 + r
}

active proctype server() {
  chan who;
  byte x, n;
  do
  :: n < 2 -> reg ? who, x; who ! x * 2; n++
  :: n == 2 -> break
  od
}
