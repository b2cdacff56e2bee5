/* Atomic in atomic, d_step in atomic, blocks in atomic. */
/* expect end-states: violated; states 26; transitions 30 */
byte x, y, z;

active proctype A() {
  atomic {
    x = 1;
    atomic { y = 1; x = 2; z == 0 };
    y = 2;
    { x = 3; y = 3 };
    d_step { x = 4; y = 4; if :: z == 1 -> x = 5 :: else -> x = 6 fi };
    z = z + x
  };
  atomic { atomic { z = z + 1 }; z = z + 2 }
}

active proctype B() {
  z = 1;
  atomic { z = 0; y = 9; atomic { y == 4; z = 100 } };
  z = 1
}
