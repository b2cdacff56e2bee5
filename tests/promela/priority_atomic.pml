/* Priorities and atomic sequences, and a channel between processes of
 * different priority. */
/* expect: holds; states 41; transitions 61 */
chan c = [1] of { byte };
byte x, y;

active proctype lo() priority 1 {
  atomic { x = 1; x = 2; y < 5; x = 3 };
  c ! x;
  x = 4
}

active proctype hi() priority 4 {
  byte v;
  x == 3 -> y = 1;
  c ? v;
  y = y + v
}

active [2] proctype mid() priority 2 {
  x > 0 -> y = y + 2;
  x = x + 10;
  skip
}
