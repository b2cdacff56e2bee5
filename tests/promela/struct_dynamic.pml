/* Local structures and arrays in processes that come and go. */
/* expect: holds; states 169; transitions 337 */
typedef slot { byte a[3]; bool used }
byte sum;

proctype P(byte k) {
  slot s[2];
  s[k % 2].a[k] = k + 1;
  s[1].used = s[0].a[k];
  sum = sum + s[0].a[k] + s[1].a[k] * 2 + s[1].used
}

init {
  byte i;
  do
  :: i < 3 && _nr_pr < 3 -> run P(i); i++
  :: i == 3 && _nr_pr == 1 -> break
  od;
  assert(sum >= 7)
}
