/* Sorted send !! keeps messages in order of their fields, beside plain
 * sends; signed fields and several fields. */
/* expect: holds; states 665; transitions 1181 */
chan c = [4] of { short, byte };
short last = -100;
byte n;

active proctype A() {
  c !! 3, 1;
  c !! -2, 9;
  c ! 1, 1
}

active proctype B() {
  c !! 3, 0;
  c !! -2, 10
}

active proctype R() {
  short v;
  byte w;
  do
  :: n < 5 -> c ? v, w; n++; last = v * 16 + w
  :: n == 5 -> break
  od
}
