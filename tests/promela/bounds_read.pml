/* Reading an array beyond its end. */
/* expect: violated(invalid end state+out of bounds); states -; transitions - */
byte a[3], x;

active proctype P() {
  byte i;
  do
  :: i < 4 -> i++; if :: i == 2 -> break :: else fi
  :: i == 3 -> x = a[i]; break
  :: i == 0 -> i = 3
  od
}
