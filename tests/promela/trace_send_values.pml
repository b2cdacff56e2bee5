/* In a trace a send compares constants; everything else stands for any value. */
/* expect: holds; states 5; transitions 5 */
byte g = 5;
chan c = [4] of { byte, byte };

active proctype A() {
  c ! 1, 2;
  c ! 3, 4;
  c ! 9, 7
}

trace {
  c ! 1, g;
  c ! 3, g + 1;
  c ! _, 7
}
