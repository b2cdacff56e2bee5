/* bit and bool: assignments keep the lowest bit, comparisons give 0 or 1. */
/* expect: holds; states 738; transitions 1931 */
bit b;
bool p = true, q;
byte n;

active [2] proctype flip() {
  do
  :: b = b + 1; n = n + b; if :: n > 5 -> break :: else fi
  :: p = !p; q = p + p
  :: q = (p == q) + (p != q) + 1; assert(q == 0)
  :: n > 5 -> break
  od;
  b = n;
  p = !n
}
