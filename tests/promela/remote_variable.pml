/* Remote references to local variables: P[i]:x and P:x. */
/* expect: holds; states 222; transitions 445 */
byte r;

active [2] proctype P() {
  byte x = 1;
  x = x + _pid * 3;
  x = x * 2
}

active proctype one() { short z = -4; z = z * 2; z++ }

active proctype W() {
  do
  :: P[0]:x > P[1]:x -> r = r + 1; break
  :: P[1]:x == 8 -> r = r + 2; break
  :: one:z == -7 && r < 3 -> r++
  od
}
