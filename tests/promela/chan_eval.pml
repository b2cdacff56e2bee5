/* eval with variables, fields and expressions of the moment; a variable
 * with the value of eval is left alone. */
/* expect: holds; states 52; transitions 74 */
typedef key { byte k[2] }
chan c = [3] of { byte, byte };
key ks;
byte x = 2, out;

active proctype S() {
  c ! 1, 5;
  c ! 2, 6;
  c ! 3, 7;
  c ! 4, 8
}

active proctype R() {
  byte y;
  ks.k[1] = 4;
  do
  :: c ? eval(x), y -> out = out + y; x++
  :: c ? eval(ks.k[1]), eval(x + 4) -> out = 99; break
  :: c ?? eval(x - 1), y -> x = x + y
  :: c ?? eval(_pid), y -> out++
  :: timeout -> break
  od
}
