/* c!a(b, c) is c!a, b, c; the same for receives and polls. */
/* expect: holds; states 56; transitions 91 */
mtype = { put, get, rep };
chan c = [2] of { mtype, byte, byte };
byte mem[2];

active proctype client() {
  byte i, v;
  do
  :: i < 2 -> c ! put(i, i + 7); i++
  :: i == 2 -> break
  od;
  c ! get(1, 0);
  do
  :: c ?? [rep(_, _)] -> c ?? rep(i, v); break
  :: i == 2 -> i = 3
  od;
  assert(v == 8)
}

active proctype server() {
  byte a, v;
  do
  :: c ? put(a, v) -> mem[a] = v
  :: c ? get(a, _) -> c ! rep(a, mem[a]); break
  od
}
