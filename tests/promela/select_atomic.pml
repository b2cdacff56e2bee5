/* select and for inside atomic. */
/* expect end-states: violated; states 453; transitions 907 */
byte v, w, acc;

active [2] proctype P() {
  byte i;
  atomic {
    select (v : 0 .. 3);
    for (i : 1 .. v) {
      acc = acc + i
    }
  };
  w = acc;
  atomic { v > 1 -> select (w : 5 .. 6); acc = 0 }
}
