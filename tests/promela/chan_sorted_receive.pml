/* Random receives with eval and several fields that must fit together. */
/* expect: holds; states 324; transitions 446 */
chan c = [4] of { byte, byte, bit };
byte key = 1, n, out;

active proctype S() {
  c ! 1, 1, 0; c ! 2, 1, 1; c ! 1, 2, 1; c ! 2, 2, 0
}

active proctype R() {
  byte x, y; bit b;
  do
  :: c ?? eval(key), x, 1 -> out = out + x; key = 3 - key; n++
  :: c ?? x, eval(key), 0 -> out = out * 2 + x; n++
  :: c ?? <2, x, b> -> if :: b -> c ? _, _, _; n++ :: else -> key = 2 fi
  :: n >= 3 -> break
  :: timeout -> break
  od
}
