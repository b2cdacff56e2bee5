/* && and || do not evaluate their right side when the left decides, and
 * neither does the conditional expression. */
/* expect: holds; states 80; transitions 123 */
byte a[3] = 1, i, x = 2;

active proctype P() {
  do
  :: i < 3 && a[i] > 0 -> a[i]--; i++
  :: i >= 3 || a[i] == 0 -> break
  od;
  if
  :: atomic { x != 0 && 10 / x > 1 -> i = 10 / x }
  :: atomic { x == 0 || 10 / x < 10 -> i = (x == 0 -> 99 : 20 / x) }
  fi
}

active proctype Q() { x--; a[1]--; x-- }
