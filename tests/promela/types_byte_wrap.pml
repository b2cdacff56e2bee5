/* Assignments to a byte keep the low eight bits: it wraps past 255 and
 * below 0.  Two processes walk around the ring in opposite directions. */
/* expect: holds; states 15270; transitions 28043 */
byte b = 250;
byte laps;

active proctype up() {
  do
  :: laps < 3 -> b = b + 7;
     if
     :: b < 7 -> laps++
     :: else
     fi
  :: laps == 3 -> break
  od
}

active proctype down() {
  byte n;
  do
  :: n < 4 -> b = b - 100; n++
  :: n == 4 -> break
  od;
  b--;
  b = -b;
  b = b * 3
}
