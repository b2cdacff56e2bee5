/* Division and remainder round towards zero for each mix of signs. */
/* expect: holds; states 865; transitions 2061 */
int n = -7, d = 3, q, r;
byte small;

active proctype up() {
  do
  :: n < 7 -> n = n + 2
  :: n == 7 -> break
  od
}

active proctype change() {
  d = -3; d = -2; d = 5
}

active proctype check() {
  do
  :: atomic { q = n / d; r = n % d; assert(q * d + r == n); small = q }
  :: n == 7 -> break
  od
}
