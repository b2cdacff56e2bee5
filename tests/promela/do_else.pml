/* do with else; else followed by break; a loop with one option; a loop
 * whose else re-enters. */
/* expect: holds; states 168; transitions 324 */
byte n = 4, m;

active proctype A() {
  do
  :: n > 1 -> n = n - 2
  :: n > 0 && m > 0 -> n--
  :: else -> break
  od;
  do
  :: m < 3
  :: else -> m++; if :: m > 4 -> break :: else fi
  od
}

active proctype B() {
  do
  :: m++; if :: m >= 3 -> goto out :: else fi
  od;
out:
  n = n + 3
}
