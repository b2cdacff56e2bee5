/* The sender's values are taken before, the receiver's variables set after
 * the handshake; expressions, arrays and structures as fields. */
/* expect: holds; states 332; transitions 714 */
typedef rec { byte a[2]; int b }
chan c = [0] of { byte, rec };
byte arr[3];
rec g;

active proctype S() {
  rec r;
  r.a[0] = 1; r.a[1] = 2; r.b = -5;
  do
  :: r.a[0] < 3 -> c ! r.a[0] * 100, r; r.a[0]++; r.b = r.b * 3
  :: else -> break
  od
}

active proctype R() {
  byte i;
  do
  :: i < 2 -> c ? arr[i], g; arr[g.a[0]] = arr[i] + g.b; i++
  :: i == 2 -> break
  od
}

active proctype W() { arr[1] = 50 ; arr[2] = 60 }
