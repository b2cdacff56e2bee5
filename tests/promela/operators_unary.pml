/* Unary minus, complement and negation next to binary operators, and
 * increments of array elements and fields. */
/* expect assertions: violated; states 224; transitions 353 */
typedef cell { int v }
cell c[2];
int x = 5;
byte y = 3;

active proctype P() {
  x = -x;
  assert(x == -5);
  x = - -x;
  x = 3 - -x;
  assert(x == -2);
  c[0].v = ~y;
  assert(c[0].v == -4);
  y = ~y;
  assert(y == 252);
  c[1].v--;
  c[!x].v = -c[1].v * 2;
  c[! !x].v++;
  assert(!x == 0 && ! !x == 1)
}

active proctype Q() {
  do
  :: y > 2 && y < 250 -> y--
  :: y <= 2 -> c[y % 2].v++; break
  :: y >= 250 -> c[1].v--; break
  od
}
