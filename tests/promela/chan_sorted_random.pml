/* Sorted sends with random receives and mtype fields; equal messages. */
/* expect: holds; states 977; transitions 1747 */
mtype = { lo, mid, hi };
chan c = [4] of { mtype, byte };
byte log;

active proctype A() { c !! hi, 2; c !! lo, 2; c !! mid, 1 }

active proctype B() { c !! mid, 0; c !! mid, 1 }

active proctype R() {
  mtype m; byte k, n;
  do
  :: n < 3 && c ?? [mid, k] -> c ?? mid, k; log = log * 3 + k; n++
  :: n < 3 -> c ? m, k; log = log * 3 + m; n++
  :: n == 3 -> break
  od
}
