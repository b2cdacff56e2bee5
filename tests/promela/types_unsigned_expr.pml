/* Unsigned variables in expressions count as ints: differences may be
 * negative before they are stored. */
/* expect: holds; states 1534; transitions 2652 */
unsigned u : 4 = 2;
unsigned w : 7;
int d;
byte hits;

active proctype P() {
  do
  :: u - 3 < 0 -> hits++; d = u - 3; u = u + 5
  :: u - 3 >= 0 -> d = 2 * u - 20; u = d
  :: hits > 2 -> break
  od;
  w = ~u;
  assert(w <= 127 && -u <= 0)
}

active proctype Q() { w = u * 60; u = w >> 3; w = -1 }
