/* unless around atomic and inside it: an escape cannot come between the
 * steps of another process's atomic sequence. */
/* expect: holds; states 905; transitions 1809 */
byte x, y, out;

active proctype P() {
  {
    atomic { x = 1; x = 2; y = x };
    atomic { x == 2 -> x = 3; y == 4; x = 4 };
    x = 5
  } unless {
    atomic { y > 2 -> out = x; y = 0 }
  };
  out = out + 100
}

active proctype Q() {
  byte i;
  do
  :: i < 3 -> i++; y = y + 1
  :: atomic { i == 2 -> y = 4; x = x + 10; i++ }
  :: i >= 3 -> break
  od
}

active proctype R() {
  atomic {
    { x++; x++ } unless { x > 2 -> x = 0 };
    out++
  }
}
