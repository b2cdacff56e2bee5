/* Whole structures are copied field by field through channels and by
 * hand; a structure in a message carries its fields in order. */
/* expect: holds; states 49; transitions 61 */
typedef point { byte x; short y }
typedef seg { point from; point to }

chan c = [1] of { seg };
chan d = [0] of { byte, point };
seg got;
byte done;

active proctype send() {
  seg s;
  s.from.x = 258;
  s.to.y = -3;
  do
  :: s.to.x < 2 -> s.to.x++
  :: c ! s; break
  od;
  point p;
  p.y = s.to.x;
  d ! s.to.x + 254, p
}

active proctype recv() {
  byte n;
  point q;
  c ? got;
  got.from.y = got.from.x - got.to.x;
  d ? n, q;
  assert(q.x == 0);
  done = n + q.y
}
