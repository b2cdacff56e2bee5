/* Random receive ??: takes the first message that fits, wherever it is;
 * with constants and with free variables. */
/* expect: holds; states 105; transitions 215 */
chan c = [3] of { byte, bit };
byte r1, r2;

active proctype S() {
  byte i;
  do
  :: i < 4 -> c ! i, i % 2; i++
  :: i == 4 -> break
  od
}

active proctype R1() {
  byte v;
  c ?? v, 1;
  r1 = v;
  c ?? 2, 0;
  r1 = r1 * 10 + v
}

active proctype R2() {
  bit b;
  byte v;
  c ?? 3, b;
  r2 = b;
  c ?? v, b;
  r2 = r2 + 2 * v + b
}
