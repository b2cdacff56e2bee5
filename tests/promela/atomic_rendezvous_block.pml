/* The receiver of a handshake out of an atomic sequence blocks at once, or
 * after a step, or sends back. */
/* expect: holds; states 467; transitions 738 */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x, y, z;

active proctype A() {
  byte r;
  atomic {
    x = 1;
    c ! 1;
    x = x + y;
    d ? r;
    x = x * 2 + r
  };
  x++
}

active proctype B() {
  byte v;
  atomic {
    c ? v;
    y = v + 1;
    z > 0;
    y = y * 2;
    d ! y + z;
    y = y * 2
  };
  y++
}

active proctype C() {
  z = 1;
  z = z + x;
  atomic { z = z + y; z++ }
}
