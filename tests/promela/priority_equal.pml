/* Equal priorities interleave; a blocked process of high priority lets the
 * others go on. */
/* expect: holds; states 62; transitions 73 */
byte a, b;
chan c = [1] of { byte };

active [2] proctype work() priority 2 {
  a++;
  c ! a;
  b++
}

active proctype sink() priority 7 {
  byte x;
  do
  :: c ? x -> b = b + x
  :: timeout -> break
  od;
  a = 0
}

active proctype idle() priority 1 { b++; a == 2 -> b = b * 2 }
