/* A handshake as the first statement of a d_step. */
/* expect: holds; states 13; transitions 14 */
chan c = [0] of { byte };
byte sum, n;

active proctype S() {
  c ! 3;
  n = 1;
  c ! 4;
  d_step { n > 1; n = 5; sum = sum * 2 }
}

active proctype R() {
  byte x;
  d_step { c ? x; sum = sum + x; x = 0; n++ };
  atomic { c ? x; sum = sum + x * 10; n = n + 2 };
  sum++
}
