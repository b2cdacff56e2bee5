/* An atomic sequence that blocks in the middle lets others in, and is
 * atomic again when it goes on. */
/* expect end-states: violated; states 182; transitions 242 */
byte x, y, flag;

active proctype A() {
  atomic {
    x = 1;
    x = 2;
    flag == 1;
    x = 3;
    x = 4;
    flag == 2 -> x = 5
  };
  x = 6
}

active proctype B() {
  y = x;
  atomic { flag = 1; y = y * 2 + x };
  y = y + x;
  flag = 2;
  y = y + x * 10
}

active proctype C() {
  atomic { x > 2 -> y++; x == 6; y++ }
}
