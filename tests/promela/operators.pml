/* Every operator, with its precedence, on a few chosen operands; the sums
 * are part of the state. */
/* expect: holds; states 91; transitions 103 */
int a, b;
int r1, r2, r3, r4;

inline calc() {
  d_step {
    r1 = a + b * 3 - a / 2 % 5;
    r2 = (a << 2) + (b >> 1) ^ a & 6 | 1;
    r3 = -a * -b + ~a - !b;
    r4 = (a < b) + (a <= b) * 2 + (a > b) * 4 + (a >= b) * 8 +
         (a == b) * 16 + (a != b) * 32 + (a && b) * 64 + (a || b) * 128
  }
}

active proctype P() {
  do
  :: a < 4 -> a++; calc()
  :: b > -3 -> b--; calc()
  :: a == 4 && b == -3 -> break
  od;
  assert(1 + 2 << 1 == 6);
  assert((7 & 3 == 3) == 1);
  assert(2 | 4 ^ 4 & 12 | 1 == 1);
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
  assert(-9 >> 1 == -5);
  assert(!0 == 1 && !5 == 0 && ~0 == -1);
  assert((1 || 0 && 0) == 1)
}
